/** Columns that a text may take, as {@link messageColumns} counts them. */
interface Limit {
  readonly least?: number;
  readonly most: number;
}

/** Lengths of a page's title and description in search results; shorter descriptions waste space. */
export const pageTitle: Limit = { most: 60 };
export const pageDescription: Limit = { least: 110, most: 155 };

/**
 * Length limits of texts in narrow places, on a phone 360 pixels wide: the first pattern that matches a message's
 * `page:key` applies.
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
  [/^tool:(link\.clear|link\.drop|recent\.title|photos\.title|photos\.select)$/, { most: 26 }],
  [/^tool:(result\.options|qr\.title|qr\.label|conversion\.(others|label))$/, { most: 30 }],
  [/^tool:conversion\.(starting|waiting|after-yours|reading|converting|cancelled)$/, { most: 40 }],
  [/^consent:consent\.(accept|refuse|choose|close)$/, { most: 14 }],
  [/^consent:consent\.(name|save|statistics\.name|marketing\.name)$/, { most: 20 }],
  // Cut with an ellipsis when they exceed one line: 254 pixels, on a phone 202. The guide for computers is shown only
  // on computers, and the site's name has a variable length.
  [/^cards:cards\.(install\.title|guide\.save-tiktok-video-computer)$/, { most: 28 }],
  [/^cards:cards\.(example\.title|guide\.[a-z-]+)$/, { most: 24 }],
  [/^cards:cards\.(name|tip)$/, { most: 16 }],
  [/^cards:cards\.close\.tip$/, { most: 28 }],
  [/^cards:cards\..+\.text$/, { most: 76 }],
  [/^promotion:promotion\.close\./, { most: 28 }],
  [/^promotion:promotion\./, { most: 18 }],
  [/^share:share\.(sheet|copy|sms)$/, { most: 24 }],
  [/^share:share\.(name|on|email|copied|close)$/, { most: 34 }],
  [/^desktop-app:app\.title$/, { most: 40 }],
  [/^desktop-app:app\.text\./, { most: 76 }],
  [/^desktop-app:app\.(open|download|close)$/, { most: 24 }],
  [/^desktop-app:app\.yours$/, { most: 18 }],
  [/^desktop-app:app\.(leads|more)$/, { most: 36 }],
  [/^common:(skip|loading|language\.(label|choose)|theme\.(present|next))$/, { most: 26 }],
  [/^common:error\.(home|code\.reload|request)$/, { most: 28 }],
  [/^common:error\..+\.title$/, { most: 46 }],
  [/^common:home$/, { most: 40 }],
  [/^offline:offline\.title$/, { most: 28 }],
  [/^errors:notice\.home$/, { most: 30 }],
  [/^landing:(formats|sizes|sound)\.(title|label|photos|common|standard|hd|mp3|m4a)$/, { most: 32 }],
  [/^posts:(front|all|authors)\.title$/, { most: 24 }],
  [/^posts:(front\.(categories|top|recent|popular|all)|pages\.[a-z]+|category\.count)$/, { most: 22 }],
  [/^posts:(article\.[a-z-]+|articles\.(useful|visited|visited-note))$/, { most: 30 }],
  [/^pagelink:(title|downloaders|other|languages)$/, { most: 24 }],
  [/^legal:.+\.title$/, { most: 32 }],
  [/^legal:(updated|contents)$/, { most: 30 }],
  [/^(contact|dmca):title$/, { most: 26 }],
  [/^push:push\.(yes|no|name)$/, { most: 22 }],
  [/^forms:send\./, { most: 26 }],
  [/^forms:(sending|another)$/, { most: 30 }],
  [/^forms:(name|email|subject|message|on_behalf|work|links|signature)\.label$/, { most: 40 }],
];

/**
 * The problem of a text's length.
 * @param name `page:key` of the message
 * @param columns its width
 * @returns null when there is none
 */
export function lengthProblem(name: string, columns: number): string | null {
  const limit = limits.find(([key]) => key.test(name))?.[1];
  return limit === undefined ? null : outside(limit, columns);
}

/** The same for a text with its own limit. */
export function outside({ least = 0, most }: Limit, columns: number): string | null {
  if (columns > most) return `takes ${columns} columns, more than ${most}`;
  return columns < least ? `takes ${columns} columns, fewer than ${least}` : null;
}
