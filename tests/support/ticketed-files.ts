import { createHash } from 'node:crypto';
import { arrivalResponse } from '../../src/api/schemas.ts';
import type { Journey } from './journey.ts';

/** A product's `SECRET_KEY`: with it, a test signs tickets that the product itself would not give. */
export const secret = 'the same on all instances, and long enough';

export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

/** What a ticket names of one of the double's posts. */
export const postOf = ({ platform }: Journey, name: string) => ({
  platform: 'tiktok' as const,
  id: /\d+$/.exec(platform.link(name))?.[0] ?? '',
});

/** What the server knows of a download. @param file its address @param press the number of the press */
export async function arrivalOf({ get }: Journey, file: string, press = '') {
  const answer = await (await get(`${file}/arrival?press=${press}`)).json();
  return arrivalResponse.parse(answer).result;
}
