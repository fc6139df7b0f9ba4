import { breakerOpen } from '../../../../downloader/extractors/readings.ts';

/** A reason in words, and how a failure is mended. */
interface Reason {
  readonly words: string;
  readonly todo?: string;
}

const known: Readonly<Record<string, Reason>> = {
  ok: { words: 'Read' },
  thin: {
    words: 'Read without HD and captions',
    todo: 'Ask as every identity on the page "Canary"; another line in OUTBOUND_PROXIES may help.',
  },
  left: { words: 'The visitor left' },
  [breakerOpen]: {
    words: 'Not asked: its circuit breaker is open',
    todo: 'It is tried every minute. The page "Canary" says why it fails.',
  },
  platform_blocked: {
    words: 'The platform shuts us out, or every strategy fails',
    todo: 'Add other lines to OUTBOUND_PROXIES, or other browsers to USER_AGENTS, and restart.',
  },
  platform_throttled: {
    words: 'The platform limits us (429)',
    todo: 'Wait some minutes; spread requests over more lines of OUTBOUND_PROXIES.',
  },
  platform_timeout: {
    words: 'The platform does not answer in time',
    todo: 'Look at the machine\'s network and at the proxies: "Canary" names the slow one.',
  },
  platform_failed: {
    words: 'No connection, or an error of a server',
    todo: 'Look at the machine\'s network and at the proxies: "Canary" names the cause.',
  },
  platform_changed: { words: 'Several posts in a row have a new form', todo: 'Update the program.' },
  post_unreadable: {
    words: 'The answer cannot be read',
    todo: 'Single posts are odd. Many: the platform has changed, update the program.',
  },
  media_host_unknown: {
    words: 'Files at an unknown host',
    todo: 'Update the program: its list of hosts lacks one.',
  },
  overloaded: { words: 'This instance had too much to do', todo: 'Add an instance, or cores.' },
  unavailable: { words: 'The database did not answer', todo: 'Run "clipferry doctor".' },
  internal: { words: 'An error of this program', todo: 'Look for "request failed" in the log.' },
};

/** The words for a key of a failure, and how it is mended where an operator can: `post_gone` is "Post gone". */
export function reasonFor(key: string): Reason {
  const words = key.replaceAll('_', ' ');
  return known[key] ?? { words: `${words.charAt(0).toUpperCase()}${words.slice(1)}` };
}
