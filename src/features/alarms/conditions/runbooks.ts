/** The text of an alarm, at the desk, in a message, and in `docs/alarms.md`. */
export interface Runbook {
  readonly title: string;
  /** When it is raised. */
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
    when: 'The circuit breakers of all strategies are open on an instance. Its visitors cannot read any post.',
    advice:
      'Look at the desk\'s page "Now" for the reason, and tell visitors on the page "Incidents". The site keeps trying.',
    log: [
      'a circuit breaker has opened: its strategy fails',
      'no strategy is left: no post can be read',
      'a circuit breaker has closed: its strategy works again',
    ],
    steps: [
      'Desk, "Incidents": write one sentence for the status page.',
      'Desk, "Canary" (or "clipferry canary"): it reads a post with every strategy, and names the cause, such as a proxy\'s 502.',
      "No response, or refused connections: check the machine's network and OUTBOUND_PROXIES.",
      'challenge, log-in, forbidden or throttled for every identity: the platform blocks this address. Add proxies to OUTBOUND_PROXIES and restart.',
      'post_unreadable or platform_changed everywhere: the platform has changed. Update the program, or report the post ids in the log.',
      'Wait: when the cause is gone, breakers close within a minute.',
    ],
  },
  'strategy-broken': {
    title: 'A strategy is broken',
    when: 'The circuit breaker of a strategy is open on an instance. Other strategies replace it.',
    advice: 'Visitors still get their files. Run the desk\'s page "Canary" and read why this strategy fails.',
    log: ['a circuit breaker has opened: its strategy fails'],
    steps: [
      'Desk, "Canary" (or "clipferry canary"): compare the strategies. The failing strategy says why.',
      'If it failed in a trial, no visitor has needed it yet. Fix it before the other strategies fail.',
      'If the other strategies work, the platform has changed what this strategy reads: update the program. For ytdlp, update yt-dlp.',
    ],
  },
  'success-low': {
    title: 'Too many requests fail',
    when: 'Fewer than 80 % of recent links, videos, sounds or photos succeed (per instance the last 50, none older than an hour; at least 20 in total).',
    advice: 'The desk\'s page "Now" gives the reasons. Tell visitors on the page "Incidents".',
    log: ['request'],
    steps: [
      'Desk, "Now": read the reasons, and what to do about each.',
      'Desk, "Canary": check whether posts can be read and their files fetched.',
      'Log: read the "key" of the lines with "msg":"request": why a request failed.',
    ],
  },
  'thin-answers': {
    title: 'Many posts are read without HD and captions',
    when: 'More than 20 % of recently read posts, of at least 20, lack their encodings.',
    advice:
      'Posts can be downloaded, but their pages cannot be read. Try "Ask as every identity" on the desk\'s page "Canary"; another proxy may help.',
    log: ['a circuit breaker has opened: its strategy fails'],
    steps: [
      'Desk, "Canary", "Ask as every identity" (or "clipferry canary --matrix"): follow the advice for each egress.',
      'Add proxies to OUTBOUND_PROXIES, or other user agents to USER_AGENTS, and restart.',
    ],
  },
  'new-shape': {
    title: 'The platform sends a new form of posts',
    when: "More than 1 % of a strategy's responses, and at least 5 in two hours, use a form that is new this week, such as media at an unknown host.",
    advice: 'Nothing fails yet. The desk\'s page "Now" names the form and a post that has it.',
    log: ['alarm sent', 'a post is in a form that cannot be read yet'],
    steps: [
      'Desk, "Now", "New forms of posts": find the form, and the id of a post that has it.',
      'Update the program. If there is no newer version, add the form to the reader (CONTRIBUTING.md, "A strategy").',
    ],
  },
  'disk-full': {
    title: 'A disk is nearly full',
    when: 'Less than 10 % or less than 1 GiB of the disk with DATA_DIR is free. On a full disk, conversions fail; videos still work.',
    advice: 'Make room on the disk with DATA_DIR, or lower KEPT_FILES_MB.',
    log: ['alarm sent', 'alarms cannot be stored: this instance sends them from memory'],
    steps: [
      'Delete old backups and logs, and limit the log (docs/operating.md, "Health, metrics and logs").',
      'Lower KEPT_FILES_MB, statistics_days, REPORTS_PER_HOUR or MESSAGES_DAYS, and restart.',
    ],
  },
  'queue-long': {
    title: 'The queue of conversions is long',
    when: 'At least 50 % of the places of CONVERSIONS_WAITING are taken.',
    advice: 'Add a converter or an instance, or raise CONVERSIONS if cores are idle.',
    log: ['alarm sent', 'conversion failed'],
    steps: [
      'Install ffmpeg if "clipferry doctor" says that it is missing: it is several times as fast as WebAssembly.',
      'Raise CONVERSIONS, or start more converters (docs/scaling.md).',
      'Set device_mp3 in the site configuration: browsers then make mp3s.',
    ],
  },
  'errors-grow': {
    title: 'More responses fail than usual',
    when: 'At least 20 responses fail in two hours, more than three times as many as usual in the last week. Refusals by the platform or a limit do not count.',
    advice: 'Look for "request failed" in the log, by the route that the metrics name.',
    log: ['request failed'],
    steps: [
      'Log: read the error and its stack in the lines "request failed".',
      '"clipferry doctor": check whether the database, Redis and S3 respond.',
      'After an update: return to the old version, and report the stack. If it refuses to start, restore the backup from before the update.',
    ],
  },
  'store-away': {
    title: 'A shared server does not respond',
    when: 'An instance cannot reach Redis or S3, and runs without it.',
    advice: 'Check Redis or the object store. Instances continue without it, each on its own.',
    log: [
      'Redis does not respond: this instance continues without it',
      'S3 does not respond: files are kept on this machine for now',
    ],
    steps: [
      '"clipferry doctor": check whether the server responds.',
      'Restart it, or correct REDIS_URL or the S3_ settings. Instances reconnect by themselves.',
    ],
  },
  'database-away': {
    title: 'The database cannot be written',
    when: 'The database does not respond, or rejects writes. With SQLite on a full disk, only disk-full is raised.',
    advice:
      'Make room on the disk with DATA_DIR, or check PostgreSQL. Downloads and cached pages still work.',
    log: ['alarms cannot be stored: this instance sends them from memory'],
    steps: [
      '"clipferry doctor": read what is wrong.',
      'Restart PostgreSQL, or make room. Meanwhile downloads work, and cached pages for an hour.',
    ],
  },
  'backup-failed': {
    title: 'A backup failed',
    when: 'The last backup failed. The site tries again every hour.',
    advice: 'Check the place that BACKUP_TO names. The desk\'s page "Backups" says why.',
    log: ['backup failed'],
    steps: [
      'Desk, "Backups": read the reason. "clipferry doctor" says whether BACKUP_TO can be read.',
      'Make room, correct BACKUP_TO, or give the site write permission (with Docker: user 1000).',
      'Desk, "Backups", "Back up now": the alarm ends when the backup succeeds.',
    ],
  },
} as const satisfies Record<string, Runbook>;

/** The runbook of a condition; null for one of another version. */
export const runbookOf = (name: string): Runbook | null =>
  Object.hasOwn(runbooks, name) ? runbooks[name as keyof typeof runbooks] : null;
