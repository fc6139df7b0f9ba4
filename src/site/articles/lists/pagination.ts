/** Links between the pages of a list. */
export type Pagination = NonNullable<ReturnType<typeof paginate>>;

/** The first, the last, and those around the present one. */
function shownNumbers(page: number, pages: number): number[] {
  const around = [page - 2, page - 1, page, page + 1, page + 2];
  const numbers = new Set([1, ...around.filter((number) => number >= 1 && number <= pages), pages]);
  return [...numbers].sort((a, b) => a - b);
}

/**
 * Links between the pages of a list; null when there is only one.
 * @param hrefOf address of a page, 1 being the first
 */
export function paginate(
  { page, pages }: { page: number; pages: number },
  hrefOf: (page: number) => string,
  labels: { label: string; previous: string; next: string; number: (page: string) => string; lang: string },
) {
  if (pages < 2) return null;
  const numbers = shownNumbers(page, pages);
  const format = new Intl.NumberFormat(labels.lang);
  return {
    label: labels.label,
    previous: page > 1 ? { text: labels.previous, href: hrefOf(page - 1) } : null,
    next: page < pages ? { text: labels.next, href: hrefOf(page + 1) } : null,
    pages: numbers.map((number, at) => ({
      number,
      /** In the language's digits. */
      text: format.format(number),
      /** Read out instead of the bare number. */
      label: labels.number(format.format(number)),
      href: hrefOf(number),
      isPresent: number === page,
      /** Numbers before this one are left out. */
      afterGap: at > 0 && number - (numbers[at - 1] ?? 0) > 1,
    })),
  };
}
