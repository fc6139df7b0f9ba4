import { Failure } from './failures.ts';

const maxDepth = 6;
const maxLength = 400;

/**
 * The details of a failure beyond its key, for an operator: its note, then what caused it, the nearest first, such as
 * `no answer; TypeError: fetch failed; Error: Proxy response (502)`. Empty when nothing is known.
 */
export function causesOf(failure: Failure): string {
  const found: string[] = [];
  let error: unknown = failure;
  for (let depth = 0; depth < maxDepth && error !== undefined && error !== null; depth += 1) {
    const text = describe(error);
    if (text !== '' && !found.includes(text)) found.push(text);
    error = error instanceof AggregateError ? error.errors[0] : error instanceof Error ? error.cause : null;
  }
  return found.join('; ').slice(0, maxLength);
}

function describe(error: unknown): string {
  if (error instanceof Failure)
    return error.message === error.key ? '' : error.message.slice(error.key.length + 2);
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' ? `${error.name}${code === undefined ? '' : ` (${code})`}` : String(error);
}
