import type sharp from 'sharp';

/** Sharp, loaded when the first picture comes: it takes 15 MB that a start need not wait for. */
export async function imageLibrary(): Promise<typeof sharp> {
  return (await import('sharp')).default;
}
