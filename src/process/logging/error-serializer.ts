import { type SerializedError, stdSerializers } from 'pino';
import { withoutPosts } from './without-posts.ts';

/** Fields of a failure that only the visitor may see. */
const links: ReadonlySet<string> = new Set(['link', 'otherLink']);

/** An error's own fields can be lists of untrusted data. */
const mostEntries = 30;
const maxDepth = 4;

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutPosts(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) return value.slice(0, mostEntries).map((one) => clean(one, depth + 1));
  const entries = Object.entries(value).filter(([name]) => !links.has(name));
  return Object.fromEntries(
    entries.slice(0, mostEntries).map(([name, one]) => [name, clean(one, depth + 1)]),
  );
}

/** An error as the log has it: with its causes and stack, without the post that it is about, and never without a bound. */
export function serializeError(error: Error): SerializedError {
  return clean(stdSerializers.err(error), 0) as SerializedError;
}
