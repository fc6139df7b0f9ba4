const format = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
});

/** A moment in the operator's time zone (`TZ`), with its name. @param at milliseconds since 1970 */
export const timeText = (at: number): string => format.format(at);
