/** The text about a trouble, at the desk, in a message, and in `docs/alarms.md`. */
export interface Runbook {
  readonly title: string;
  /** When it is told. */
  readonly when: string;
  /** One sentence, also for a phone: what to do first. */
  readonly advice: string;
  /** Texts (`msg`) of the log's lines that go with it. */
  readonly log: readonly string[];
  /** Steps that mend it. Commands are those of `docs/commands.md`. */
  readonly steps: readonly string[];
}

/** By the names of conditions, the most urgent first. */
export const runbooks = {
  'platform-gone': {
    title: 'The platform cannot be read',
    when: 'On an instance the circuit breakers of all strategies are open: visitors get nothing.',
    advice:
      'Look at the desk\'s page "Now" for the reason, and tell visitors on the page "Incidents". The site goes on trying by itself.',
    log: [
      'a circuit breaker has opened: its strategy fails',
      'no strategy is left: no post can be read',
      'a circuit breaker has closed: its strategy works again',
    ],
    steps: [
      'Desk, "Incidents": write one sentence for the status page.',
      'Desk, "Canary" (or "clipferry canary"): it reads a post by every strategy and names the cause, such as a proxy that answers 502.',
      "No answer or refused connections: look at the machine's network and at OUTBOUND_PROXIES.",
      'challenge, log-in, forbidden or throttled for every identity: the platform shuts out this address. Add other lines to OUTBOUND_PROXIES and restart.',
      'post_unreadable or platform_changed everywhere: the platform has changed. Update the program, or report the ids that the log names.',
      'There is nothing to do when it is back: breakers close within a minute.',
    ],
  },
  'strategy-broken': {
    title: 'A strategy is broken',
    when: 'The circuit breaker of one strategy is open on any instance. Others stand in for it.',
    advice: 'Visitors still get their files. Run the desk\'s page "Canary" and read why this strategy fails.',
    log: ['a circuit breaker has opened: its strategy fails'],
    steps: [
      'Desk, "Canary" (or "clipferry canary"): compare the strategies; the failing one has its cause.',
      'When it was asked for nothing but trials, it had rotted unseen: mend it before the others fail.',
      'The platform has changed it when the others work: update the program. For ytdlp, update yt-dlp.',
    ],
  },
  'success-low': {
    title: 'Too many requests fail',
    when: 'Less than 80 of 100 links, videos, sounds or photos succeed: of the last fifty within an hour, and at least 20.',
    advice: 'The desk\'s page "Now" says by which reason. Tell visitors on the page "Incidents".',
    log: ['request'],
    steps: [
      'Desk, "Now": the reasons, and how to mend each.',
      'Desk, "Canary": whether posts can be read, and their files be fetched.',
      'Log: lines with "msg":"request" and a "key" say why each has failed.',
    ],
  },
  'thin-answers': {
    title: 'Many posts are read without HD and captions',
    when: 'More than a fifth of the posts that were read lately lack their encodings, of at least 20.',
    advice:
      'Posts can be downloaded, but pages do not answer. Ask as every identity on the desk\'s page "Canary"; another line in OUTBOUND_PROXIES may help.',
    log: ['a circuit breaker has opened: its strategy fails'],
    steps: [
      'Desk, "Canary", "Ask as every identity" (or "clipferry canary --matrix"): it prints advice for each egress.',
      'Add lines to OUTBOUND_PROXIES, or other user agents to USER_AGENTS, and restart.',
    ],
  },
  'new-shape': {
    title: 'The platform answers in a new form',
    when: 'A form that is new within a week is in more than 1 of 100 answers of its strategy, media at an unknown host among them.',
    advice: 'Nothing fails yet. The desk\'s page "Now" names the form and a post that has it.',
    log: ['alarm sent', 'a post is in a form that cannot be read yet'],
    steps: [
      'Desk, "Now", "New forms of posts": the form, and the id of an example.',
      'Update the program. Without a newer one, add the form to the reader (CONTRIBUTING.md, "A strategy").',
    ],
  },
  'disk-full': {
    title: 'A disk is nearly full',
    when: 'Less than a tenth or less than 1 GiB of the disk with DATA_DIR is free.',
    advice: 'Make room on the disk with DATA_DIR, or lower KEPT_FILES_MB.',
    log: ['alarm sent', 'the database takes no alarms: this instance tells from memory'],
    steps: [
      'Delete old backups and logs; limit the log (docs/operating.md, "Health, metrics and logs").',
      'Lower KEPT_FILES_MB, statistics_days, REPORTS_PER_HOUR or MESSAGES_DAYS, and restart.',
      'Conversions fail until there is room; videos go on.',
    ],
  },
  'queue-long': {
    title: 'The queue of conversions is long',
    when: 'Half of CONVERSIONS_WAITING wait.',
    advice: 'Add a converter or an instance, or raise CONVERSIONS where cores are idle.',
    log: ['alarm sent', 'conversion failed'],
    steps: [
      'Install ffmpeg where "clipferry doctor" says that it is missing: it is several times as fast.',
      'Raise CONVERSIONS, or start further converters (docs/scaling.md).',
      'Set device_mp3 in the site configuration: browsers make mp3s themselves.',
    ],
  },
  'errors-grow': {
    title: 'More responses fail than usual',
    when: 'Three times as many responses fail by a fault of this site as usual within a week, and at least 20. What the platform or a limit refuses does not count.',
    advice: 'Look for "request failed" in the log, by the route that the metrics name.',
    log: ['request failed'],
    steps: [
      'Log: the lines "request failed" have the error and its stack; lines with "msg":"request" have its "key".',
      '"clipferry doctor": whether the database, Redis and S3 answer.',
      'After an update: return to the version before, and report the stack.',
    ],
  },
  'store-away': {
    title: 'A server that instances share is away',
    when: 'An instance runs without Redis or S3.',
    advice: 'Look at Redis or the object store. Instances go on without it, each for itself.',
    log: [
      'Redis does not answer: this instance goes on alone',
      'S3 does not answer: files are kept on this machine for now',
    ],
    steps: [
      '"clipferry doctor": whether the server answers, and what it says.',
      'Start it again, or correct REDIS_URL or the S3_ settings. Instances return to it by themselves.',
    ],
  },
  'database-away': {
    title: 'The database takes nothing',
    when: 'The database is away or takes nothing; where its disk is full, disk-full says so.',
    advice: 'Make room on the disk with DATA_DIR, or look at PostgreSQL. Downloads and cached pages go on.',
    log: ['the database takes no alarms: this instance tells from memory'],
    steps: [
      '"clipferry doctor": what is wrong.',
      'Bring PostgreSQL back, or make room. Cached pages last for an hour.',
    ],
  },
  'backup-failed': {
    title: 'A backup failed',
    when: 'The last backup of the site failed. It is repeated each hour.',
    advice: 'Look at the place that BACKUP_TO names. The desk\'s page "Backups" says why.',
    log: ['backup failed'],
    steps: [
      'Desk, "Backups": read why. "clipferry doctor" says whether the place can be read.',
      'Make room, correct BACKUP_TO, or let the site write there (with Docker: user 1000).',
      'Desk, "Backups", "Back up now": the alarm is over when it succeeds.',
    ],
  },
} as const satisfies Record<string, Runbook>;

/** The runbook of a condition; null for one of another version. */
export const runbookOf = (name: string): Runbook | null =>
  Object.hasOwn(runbooks, name) ? runbooks[name as keyof typeof runbooks] : null;
