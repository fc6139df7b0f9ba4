/** A browser's description of itself. */
export interface BrowserHints {
  readonly userAgent: string;
  /** Whether it runs from an iPhone's home screen. */
  readonly standalone?: boolean;
}

/** Browsers inside other apps cannot save files that a page has made. */
const insidePrograms =
  /; wv\)|FBAN|FBAV|Instagram|musical_ly|Bytedance|BytedanceWebview|TikTok|\bLine\/|MicroMessenger|Snapchat|Pinterest/;

/** Whether a browser saves files that a page has made, out of memory. */
export const savesMadeFiles = ({ userAgent, standalone }: BrowserHints): boolean =>
  standalone !== true && !insidePrograms.test(userAgent);
