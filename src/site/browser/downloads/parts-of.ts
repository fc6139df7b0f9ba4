/** A body's chunks, which ends it when no more are wanted; Safari cannot iterate streams. */
export async function* partsOf<Part extends Uint8Array>(body: ReadableStream<Part>): AsyncGenerator<Part> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
