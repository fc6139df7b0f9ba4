import type { ObjectStore } from '../../contracts/object-store.ts';
import { ageOf } from './s3-headers.ts';
import type { S3Request, S3Requests } from './s3-requests.ts';
import { elementsOf, textOf } from './xml.ts';

/** A store that would go on for ever does not keep an instance busy for ever. */
const maxPages = 10_000;

/** The objects whose keys begin with a prefix, page by page (ListObjectsV2). @param text asks the store */
export async function* listObjects(
  text: (what: S3Request) => ReturnType<S3Requests['text']>,
  prefix: string,
): ReturnType<ObjectStore['list']> {
  let token: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query: Record<string, string> = { 'list-type': '2', prefix };
    if (token !== null) query['continuation-token'] = token;
    const { xml, headers } = await text({ method: 'GET', query });
    for (const entry of elementsOf(xml, 'Contents'))
      yield { key: textOf(entry, 'Key') ?? '', ageS: ageOf(textOf(entry, 'LastModified'), headers) };
    token = textOf(xml, 'NextContinuationToken');
    if (textOf(xml, 'IsTruncated') !== 'true' || token === null) return;
  }
}
