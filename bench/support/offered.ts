import { Agent, request } from 'node:http';

/** One request. */
export interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly accept?: string;
  readonly agent?: Agent;
}

/** How it was answered. */
export interface Answered {
  /** 0 for none at all. */
  readonly status: number;
  readonly retryAfter: boolean;
  readonly ms: number;
}

const limitMs = 10_000;

/** Asks once and reads the answer to its end. */
export function ask(origin: string, { path, method = 'GET', body, accept, agent }: Asked): Promise<Answered> {
  const since = performance.now();
  const { promise, resolve } = Promise.withResolvers<Answered>();
  const end = (status: number, retryAfter: boolean) =>
    resolve({ status, retryAfter, ms: performance.now() - since });
  const headers = {
    'accept-encoding': 'gzip, br',
    ...(accept !== undefined && { accept }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  const asked = request(`${origin}${path}`, { method, headers, ...(agent && { agent }) }, (answer) => {
    answer.resume();
    answer.on('end', () => end(answer.statusCode ?? 0, answer.headers['retry-after'] !== undefined));
    answer.on('error', () => end(0, false));
  });
  asked.setTimeout(limitMs, () => asked.destroy());
  asked.on('error', () => end(0, false));
  asked.end(body);
  return promise;
}

/** Some connections, each of which asks again as soon as it is answered. */
export async function atOnce(
  origin: string,
  connections: number,
  durationMs: number,
  next: () => Asked,
): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + durationMs;
  const answers: Answered[] = [];
  const one = async () => {
    while (performance.now() < end) answers.push(await ask(origin, { agent, ...next() }));
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return answers;
}

/** So many requests in a second, whether the former ones were answered or not. */
export async function offered(
  origin: string,
  perSecond: number,
  durationMs: number,
  next: () => Asked,
): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<Answered>[] = [];
  const since = performance.now();
  for (let now = since; now < since + durationMs; now = performance.now()) {
    const due = ((now - since) / 1000) * perSecond;
    while (answers.length < due) answers.push(ask(origin, { agent, ...next() }));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const all = await Promise.all(answers);
  agent.destroy();
  return all;
}
