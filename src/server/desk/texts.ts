const format = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
});

/** A moment in the operator's time zone (`TZ`), with its name. @param at milliseconds since 1970 */
export const timeText = (at: number): string => format.format(at);

/** Room on a disk or in memory, for operators: `13 MiB`, `4.2 GiB`. @param bytes a small disk is not "0.0 GiB" */
export const roomText = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
