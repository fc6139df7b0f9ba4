/** A body's chunks; Safari cannot iterate streams. */
export async function* partsOf<Part extends Uint8Array>(body: ReadableStream<Part>): AsyncGenerator<Part> {
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
