/** Columns that a text may take, as {@link messageColumns} counts them. */
interface Limit {
  readonly least?: number;
  readonly most: number;
}

/** What search results show of a page's title and description; shorter descriptions waste the place. */
export const pageTitle: Limit = { most: 60 };
export const pageDescription: Limit = { least: 70, most: 160 };

/**
 * How long texts may be that stand where there is little room, on a phone 360 pixels wide: the first pattern that
 * fits a message's `page:key` counts.
 */
export const limits: readonly (readonly [key: RegExp, limit: Limit])[] = [
  [/:(.*\.)?head\.title$/, pageTitle],
  [/:(.*\.)?head\.description$/, pageDescription],
  [/:hero\.title$/, { most: 50 }],
  [/:(features|helps)\.\d+\.title$/, { most: 40 }],
  [
    /^common:menu\.(open|home|posts|contact|tiktok-downloader|tiktok-video-downloader|download-mp3-tiktok)$/,
    { most: 24 },
  ],
  [/^common:footer\.independent$/, { most: 140 }],
  [/^common:(menu|footer)\.[a-z-]+$/, { most: 40 }],
  [/^common:theme\.(system|light|dark)$/, { most: 14 }],
  [/^(tool|common):link\.(submit|paste)$/, { most: 14 }],
  [/^common:link\.placeholder$/, { most: 30 }],
  [/^tool:link\.example$/, { most: 40 }],
  [/^landing:fact\.asked-tracking$/, { most: 42 }],
  [/^landing:fact\./, { most: 20 }],
  [/^tool:option\.(preparing|begun|saved)$/, { most: 20 }],
  [/^tool:option\.(mp4|mp4-hd|mp3|m4a|not-there)$/, { most: 24 }],
  [/^tool:option\.(zip|jpg)$/, { most: 30 }],
  [/^tool:option\.hevc$/, { most: 36 }],
  [/^tool:result\.(another|more|less)$/, { most: 26 }],
  [/^tool:(instead\.|failure\.another$|photos\.selected$)/, { most: 36 }],
  [/^tool:conversion\.cancel$/, { most: 14 }],
  [/^tool:(failure\.retry|failure\.elsewhere|recent\.clear|conversion\.dismiss|photos\.all)$/, { most: 22 }],
  [/^consent:consent\.(accept|refuse|choose)$/, { most: 14 }],
  [/^push:push\.(yes|no)$/, { most: 22 }],
  [/^forms:send\./, { most: 26 }],
];

/**
 * What is wrong with how long a text is.
 * @param name `page:key` of the message
 * @param columns that it takes
 * @returns null when nothing is
 */
export function lengthProblem(name: string, columns: number): string | null {
  const limit = limits.find(([key]) => key.test(name))?.[1];
  return limit === undefined ? null : outside(limit, columns);
}

/** The same for any text with a limit of its own. */
export function outside({ least = 0, most }: Limit, columns: number): string | null {
  if (columns > most) return `takes ${columns} columns, more than ${most}`;
  return columns < least ? `takes ${columns} columns, fewer than ${least}` : null;
}
