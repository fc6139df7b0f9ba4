import { request as ask } from 'node:http';

/** A response as it arrived: not followed, not decompressed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/**
 * Sends exactly this target and these headers; `fetch` would normalise both.
 * @param origin the product's
 * @param target the request line's second word
 */
export function rawRequest(
  origin: string,
  target: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = ask({ hostname, port, path: target, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
