/** Draws for the process that started it, one picture after another; see {@link file://./drawer.ts}. */
import { type Drawing, draw } from './draw.ts';

/** The response: the picture, or the error. */
export type Drawn = { readonly png: Buffer } | { readonly error: string };

process.on('message', async (drawing: Drawing) => {
  let drawn: Drawn;
  try {
    drawn = { png: await draw(drawing) };
  } catch (error) {
    drawn = { error: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(drawn);
});
// Ctrl-C reaches the whole group: it ends with the process that it draws for.
process.on('SIGINT', () => {});
