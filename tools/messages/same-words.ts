type Pages = ReadonlyMap<string, Readonly<Record<string, string>>>;

/**
 * Messages, as `page:key`, that differ from those with the same English text for a reason: a heading is a noun where
 * the button is a verb, and the status of a site is not that of an HTTP response.
 */
const differing: ReadonlySet<string> = new Set(['api:cancel.title', 'api:column.status']);

function namesByText(english: Pages): Map<string, [page: string, key: string][]> {
  const names = new Map<string, [string, string][]>();
  for (const [page, messages] of english)
    for (const [key, text] of Object.entries(messages)) {
      if (differing.has(`${page}:${key}`)) continue;
      names.set(text, [...(names.get(text) ?? []), [page, key]]);
    }
  return names;
}

/**
 * What reads the same in English reads the same in another language: a page is called in the menu what it is called
 * in its title.
 */
export function sameWordsProblems(locale: string, own: Pages, english: Pages): string[] {
  const problems: string[] = [];
  for (const names of namesByText(english).values()) {
    const [first, ...others] = names.flatMap(([page, key]) => {
      const text = own.get(page)?.[key];
      return text === undefined ? [] : [{ page, key, text }];
    });
    for (const { page, key, text } of others)
      if (first !== undefined && text !== first.text)
        problems.push(
          `${locale}/${page}.json: ${key} says "${text}" where ${first.page}.json: ${first.key} says "${first.text}", and English the same in both (what differs for a reason is listed in tools/messages/same-words.ts)`,
        );
  }
  return problems;
}
