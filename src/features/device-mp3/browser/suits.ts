/** What a browser says of its device and its line. */
export interface DeviceHints {
  readonly userAgent: string;
  readonly hardwareConcurrency?: number;
  /** Gigabytes, rounded; not in all browsers. */
  readonly deviceMemory?: number;
  /** Not in all browsers. */
  readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string };
  /** Whether it runs from an iPhone's home screen. */
  readonly standalone?: boolean;
}

/** Fewer cores are those of phones that take longer than a server's queue. */
const leastCores = 4;
const leastMemoryGb = 3;

/** Browsers inside other programs do not save what a page has made. */
const insidePrograms =
  /; wv\)|FBAN|FBAV|Instagram|musical_ly|Bytedance|BytedanceWebview|TikTok|\bLine\/|MicroMessenger|Snapchat|Pinterest/;

/**
 * Whether a device should encode: fast enough as far as can be told beforehand, with memory, on a line that is not to be
 * spared, in a browser that saves files out of memory.
 */
export function suitsEncoding({
  userAgent,
  hardwareConcurrency = 0,
  deviceMemory,
  connection,
  standalone,
}: DeviceHints): boolean {
  return (
    hardwareConcurrency >= leastCores &&
    (deviceMemory === undefined || deviceMemory >= leastMemoryGb) &&
    connection?.saveData !== true &&
    !/2g$/.test(connection?.effectiveType ?? '') &&
    standalone !== true &&
    !insidePrograms.test(userAgent)
  );
}
