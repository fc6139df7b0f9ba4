/** An article that is about to be written. */
interface Moving {
  readonly key: string;
  readonly locale: string;
  readonly slug: string;
}

/**
 * Groups articles that must be written in one transaction because one takes an address that another gives up. The rest
 * are grouped only to write several at a time.
 * @param ownerOf the present owner of an address, by its key
 * @param size of a batch; a long chain of exchanges makes a larger one
 */
export function batchesOf<A extends Moving>(
  articles: readonly A[],
  ownerOf: (locale: string, slug: string) => string | undefined,
  size: number,
): A[][] {
  const byName = new Map(articles.map((article) => [`${article.locale}/${article.key}`, article]));
  const done = new Set<A>();
  /** The other end of exchanges: who takes the address that an article leaves. */
  const takers = new Map<A, A>();
  const giverOf = (article: A): A | undefined => {
    const owner = ownerOf(article.locale, article.slug);
    return owner === undefined || owner === article.key
      ? undefined
      : byName.get(`${article.locale}/${owner}`);
  };
  for (const article of articles) {
    const giver = giverOf(article);
    if (giver !== undefined) takers.set(giver, article);
  }

  function chainOf(article: A): A[] {
    const chain: A[] = [];
    const add = (next: A | undefined, follow: (from: A) => A | undefined) => {
      for (let one = next; one !== undefined && !done.has(one); one = follow(one)) {
        done.add(one);
        chain.push(one);
      }
    };
    add(article, giverOf);
    add(takers.get(article), (from) => takers.get(from));
    return chain;
  }

  const batches: A[][] = [];
  let batch: A[] = [];
  for (const article of articles) {
    if (done.has(article)) continue;
    batch.push(...chainOf(article));
    if (batch.length < size) continue;
    batches.push(batch);
    batch = [];
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
