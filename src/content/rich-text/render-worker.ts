/** The thread that renders texts, in the process that watches it (`render-process.ts`). */
import { parentPort } from 'node:worker_threads';
import type { FromRenderer, ToRenderer } from './bounded-renderer.ts';
import type { OwnPlace } from './links.ts';
import { renderRichText } from './rich-text.ts';
import type { RichNode } from './tree.ts';

const port = parentPort;
if (port === null) throw new Error('This is the program of a thread.');
const say = (message: FromRenderer) => port.postMessage(message);
const refuse = (reason: string) => say({ kind: 'refused', reason, isCostly: false });
let placed: (place: OwnPlace) => void = () => {};

/**
 * Maximum nesting of elements: real texts have about ten levels. Deeper ones would break the pages, which walk them
 * recursively.
 */
const maxDepth = 100;

function isTooDeep(nodes: readonly RichNode[], depth = 1): boolean {
  if (depth > maxDepth) return true;
  return nodes.some((node) => typeof node !== 'string' && isTooDeep(node.slice(2) as RichNode[], depth + 1));
}

function find(path: string): Promise<OwnPlace> {
  const { promise, resolve } = Promise.withResolvers<OwnPlace>();
  placed = resolve;
  say({ kind: 'find', path });
  return promise;
}

port.on('message', (message: ToRenderer) => {
  if (message.kind === 'place') {
    placed(message.place);
    return;
  }
  renderRichText(message.markdown, message.rules, find).then(
    (text) => (isTooDeep(text.nodes) ? refuse('is nested too deep') : say({ kind: 'made', text })),
    (error: unknown) => refuse(error instanceof RangeError ? 'is nested too deep' : (error as Error).message),
  );
});
say({ kind: 'ready' });
