import { Pool } from 'undici';

/** One request. */
export interface OfferedRequest {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly accept?: string;
}

/** How it was answered. */
export interface Answered {
  /** 0 for none at all. */
  readonly status: number;
  readonly retryAfter: boolean;
  readonly ms: number;
}

const limitMs = 10_000;

/** More would keep this process busy with connections instead of requests. */
const mostConnections = 512;

/** Asks a server over kept connections. */
export interface Client {
  /** Asks once and reads the answer to its end. The time begins now, also where no connection is free. */
  ask(request: OfferedRequest): Promise<Answered>;
  close(): Promise<void>;
}

/** @param connections so many at once at the most */
export function clientOf(origin: string, connections = mostConnections): Client {
  const pool = new Pool(origin, { connections, headersTimeout: limitMs, bodyTimeout: limitMs });
  return {
    async ask({ path, method = 'GET', body, accept }) {
      const since = performance.now();
      const headers = {
        'accept-encoding': 'gzip, br',
        ...(accept !== undefined && { accept }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      try {
        const answer = await pool.request({ path, method, headers, body: body ?? null });
        await answer.body.dump();
        const retryAfter = answer.headers['retry-after'] !== undefined;
        return { status: answer.statusCode, retryAfter, ms: performance.now() - since };
      } catch {
        return { status: 0, retryAfter: false, ms: performance.now() - since };
      }
    },
    close: () => pool.close(),
  };
}

/** Some connections, each of which asks again as soon as it is answered. */
export async function atOnce(
  origin: string,
  connections: number,
  durationMs: number,
  next: () => OfferedRequest,
): Promise<Answered[]> {
  const client = clientOf(origin, connections);
  const end = performance.now() + durationMs;
  const answers: Answered[] = [];
  const one = async () => {
    while (performance.now() < end) answers.push(await client.ask(next()));
  };
  await Promise.all(Array.from({ length: connections }, one));
  await client.close();
  return answers;
}

/** So many requests in a second, whether the former ones were answered or not. */
export async function offered(
  client: Client,
  perSecond: number,
  durationMs: number,
  next: () => OfferedRequest,
): Promise<Answered[]> {
  const answers: Promise<Answered>[] = [];
  const since = performance.now();
  for (let now = since; now < since + durationMs; now = performance.now()) {
    const due = ((now - since) / 1000) * perSecond;
    while (answers.length < due) answers.push(client.ask(next()));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return Promise.all(answers);
}
