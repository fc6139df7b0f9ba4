import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';

/** Room on a disk, in bytes. */
export interface DiskRoom {
  /** Free bytes for an account without privileges. */
  readonly free: number;
  readonly total: number;
}

/** @returns null where the system does not say */
export async function diskRoom(folder: string): Promise<DiskRoom | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** Shows the room on the disk of a folder, read when the metrics are. */
export function watchDisk(folder: string, registry: Registry): void {
  const total = new Gauge({
    name: 'clipferry_disk_bytes',
    help: 'Size of the disk with DATA_DIR.',
    registers: [registry],
  });
  new Gauge({
    name: 'clipferry_disk_free_bytes',
    help: 'Free room on the disk with DATA_DIR.',
    registers: [registry],
    async collect() {
      const room = await diskRoom(folder);
      if (room === null) return;
      this.set(room.free);
      total.set(room.total);
    },
  });
}
