/** An article that is about to be written. */
interface Moving {
  readonly key: string;
  readonly locale: string;
  readonly slug: string;
}

/**
 * Articles in batches. All that take the address of another one, and those that give theirs up, are the first batch: these
 * addresses change in one transaction, however many they are.
 * @param ownerOf the present owner of an address, by its key
 * @param size of the other batches
 */
export function batchesOf<A extends Moving>(
  articles: readonly A[],
  ownerOf: (locale: string, slug: string) => string | undefined,
  size: number,
): A[][] {
  const exchanging = new Set<string>();
  for (const { locale, key, slug } of articles) {
    const owner = ownerOf(locale, slug) ?? key;
    if (owner !== key) exchanging.add(`${locale}/${key}`).add(`${locale}/${owner}`);
  }
  const isExchanging = ({ locale, key }: A) => exchanging.has(`${locale}/${key}`);
  const others = articles.filter((one) => !isExchanging(one));
  const batches = exchanging.size > 0 ? [articles.filter(isExchanging)] : [];
  for (let at = 0; at < others.length; at += size) batches.push(others.slice(at, at + size));
  return batches;
}
