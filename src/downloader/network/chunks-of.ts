import type { ByteReader } from './contracts.ts';

/** The chunks of a reader as an iterable; leaving it closes the connection. @throws as the reader */
export async function* chunksOf(reader: ByteReader): AsyncGenerator<Buffer, void, void> {
  try {
    for (let chunk = await reader.next(); chunk !== null; chunk = await reader.next()) yield chunk;
  } finally {
    reader.stop();
  }
}
