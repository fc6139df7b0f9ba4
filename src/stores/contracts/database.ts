import type { Generated, Kysely } from 'kysely';
import type { ArticleTable } from './article-table.ts';
import type {
  AlarmMessageTable,
  AlarmTable,
  FigureTable,
  InstanceTable,
  LeaseTable,
  PostShapeTable,
} from './figure-tables.ts';
import type { OperatorLogTable, OperatorSessionTable, OperatorTryTable } from './operator-tables.ts';
import type { PushMessageTable, PushSubscriptionTable } from './push-tables.ts';
import type {
  DailySumTable,
  ExperimentDayTable,
  ExperimentVisitTable,
  ForgottenTokenTable,
  ReportTable,
} from './statistics-tables.ts';

/**
 * The tables, as the newest migration leaves them. Times are milliseconds since 1970, flags are 0 or 1, and JSON is
 * text: both engines store and return these identically.
 */
export interface Tables {
  categories: CategoryTable;
  category_texts: CategoryTextTable;
  authors: AuthorTable;
  author_texts: AuthorTextTable;
  articles: ArticleTable;
  listings: ListingTable;
  listing_marks: ListingMarkTable;
  listing_totals: ListingTotalTable;
  pictures: PictureTable;
  promoted_pictures: PromotedPictureTable;
  changes: ChangeTable;
  imports: ImportTable;
  messages: MessageTable;
  acknowledgements: AcknowledgementTable;
  takedowns: TakedownTable;
  reports: ReportTable;
  forgotten_tokens: ForgottenTokenTable;
  daily_sums: DailySumTable;
  experiment_visits: ExperimentVisitTable;
  experiment_days: ExperimentDayTable;
  push_subscriptions: PushSubscriptionTable;
  push_messages: PushMessageTable;
  hourly_counts: HourlyCountTable;
  api_keys: ApiKeyTable;
  outcomes: OutcomeTable;
  incidents: IncidentTable;
  hourly_figures: FigureTable;
  daily_figures: FigureTable;
  monthly_figures: FigureTable;
  post_shapes: PostShapeTable;
  instances: InstanceTable;
  leases: LeaseTable;
  alarms: AlarmTable;
  alarm_messages: AlarmMessageTable;
  message_answers: MessageAnswerTable;
  promotion_switches: PromotionSwitchTable;
  takedown_log: TakedownLogTable;
  operator_log: OperatorLogTable;
  operator_sessions: OperatorSessionTable;
  operator_tries: OperatorTryTable;
}

interface CategoryTable {
  id: Generated<number>;
  /** Stable name by which other programs know it. */
  uid: string;
  slug: string;
  parent_id: number | null;
  /** Order in which categories are shown. */
  position: number;
}

interface CategoryTextTable {
  category_id: number;
  locale: string;
  name: string;
  description: string;
}

interface AuthorTable {
  /** Stands in the author's address. */
  id: string;
  /** JSON of a picture, or null. */
  picture: string | null;
  position: number;
}

interface AuthorTextTable {
  author_id: string;
  locale: string;
  name: string;
  /** Markdown. */
  bio: string;
  /** JSON: array of `{ text, url }`. */
  links: string;
}

/** The import that runs; one row, with the number 1. */
interface ImportTable {
  id: number;
  /** The running import's name; null when none runs. */
  owner: string | null;
  /** Grows while the import lives. */
  beats: number;
  /** 1 while written articles are missing from the lists' counts. */
  unfinished: number;
}

/** The articles of a list in order; every list is one range of the primary key. */
interface ListingTable {
  locale: string;
  /** `all`, `category:{id}` or `author:{id}`. */
  list: string;
  published_at: number;
  article_id: number;
}

/** The position of every hundredth entry of a list, so that any page of it is found without counting from its start. */
interface ListingMarkTable {
  locale: string;
  list: string;
  /** Number of entries before the marked one. */
  place: number;
  published_at: number;
  article_id: number;
}

interface ListingTotalTable {
  locale: string;
  list: string;
  total: number;
}

/** A file that browsers fetch; one row for each size and format. */
interface PictureTable {
  /** Digest of the original. */
  id: string;
  /** Pixels; 0 for the original. */
  width: number;
  /** `avif`, `webp`, `jpg`, `svg` or `original`. */
  format: string;
  bytes: Uint8Array;
}

/** A picture of an ad, as downloaded from the address in the site configuration. */
interface PromotedPictureTable {
  /** Its address, or its path beside the configuration file. */
  source: string;
  /** JSON of `PromotedPicture`. */
  picture: string;
}

/** Notifications for other processes. Numbers grow in the order in which changes become visible. */
interface ChangeTable {
  id: Generated<number>;
  /** `article`, `category`, `author`, `takedown`. */
  subject: string;
  /** Language of the pages that changed; empty for all. */
  locale: string;
  /** An article's slug, a category's or author's id, or `*` for everything. */
  name: string;
  made_at: number;
}

/** A visitor's message to the operator. */
interface MessageTable {
  id: Generated<number>;
  /** The form: `contact` or `dmca`. */
  form: string;
  locale: string;
  name: string;
  email: string;
  subject: string;
  /** JSON: every field of the form by its name. */
  fields: string;
  made_at: number;
  /** `unwanted` messages were caught by the bot trap; they are stored, but not mailed. */
  mail_state: 'waiting' | 'sent' | 'failed' | 'unwanted';
  mail_attempts: Generated<number>;
  /** When the next attempt may be made. */
  mail_next_at: number;
  mailed_at: number | null;
}

/** A mail to a visitor that says that a message arrived. Rows live a day. */
interface AcknowledgementTable {
  /** The message's id. */
  id: number;
  /** The visitor's address, normalised so that it identifies a mailbox; unique. */
  mailbox: string;
  made_at: number;
  mail_state: 'waiting' | 'sent' | 'failed';
  mail_attempts: Generated<number>;
  /** When the next attempt may be made. */
  mail_next_at: number;
  mailed_at: number | null;
}

/** What the operator answered to a message, and its mail. Deleted with the message. */
interface MessageAnswerTable {
  id: Generated<number>;
  message_id: number;
  text: string;
  made_at: number;
  mail_state: 'waiting' | 'sent' | 'failed';
  mail_attempts: Generated<number>;
  /** When the next attempt may be made. */
  mail_next_at: number;
  mailed_at: number | null;
}

/** Number of events of a kind within an hour. */
interface HourlyCountTable {
  name: string;
  /** Hours since 1970. */
  hour: number;
  count: number;
}

/** A blocked post or author. */
interface TakedownTable {
  id: Generated<number>;
  kind: 'post' | 'author';
  /** The post's number, or the author's handle in lower case. */
  name: string;
  /** As the operator entered it. */
  url: string;
  /** Why, in the operator's words; empty where none was given. */
  reason: Generated<string>;
  made_at: number;
  /** When it ends by itself; null for never. */
  ends_at: number | null;
}

/** What was taken down and lifted, and why: kept after it was lifted. */
interface TakedownLogTable {
  id: Generated<number>;
  made_at: number;
  deed: 'added' | 'lifted';
  kind: 'post' | 'author';
  name: string;
  url: string;
  reason: string;
  ends_at: number | null;
}

/** A kind of promotion that the operator has switched off. */
interface PromotionSwitchTable {
  /** `ads`, `cards`, `share` or `programs`. */
  kind: string;
  off_at: number;
}

/** A key of a program that uses the API. */
interface ApiKeyTable {
  id: Generated<number>;
  /** The operator's name for its holder; unique. */
  name: string;
  /** SHA-256 of the key, in hexadecimal digits. */
  hash: string;
  times: number;
  made_at: number;
  /** Null while the key is valid. */
  revoked_at: number | null;
  /** Number of requests with it. */
  requests: Generated<number>;
  /** Null before the first. */
  used_at: number | null;
}

/** Outcomes of requests of a kind within an hour. */
interface OutcomeTable {
  /** Hours since 1970. */
  hour: number;
  /** `links`, `videos`, `sounds` or `photos`. */
  kind: string;
  succeeded: number;
  failed: number;
}

/** The operator's report on an incident. */
interface IncidentTable {
  id: Generated<number>;
  text: string;
  began_at: number;
  /** Null while it lasts. */
  ended_at: number | null;
}

/** The database did not respond in time, or is unreachable. The statement may or may not have been executed. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  /** @param cause what the driver said */
  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** The store of articles, messages, takedowns and statistics. */
export interface Database {
  readonly engine: 'sqlite' | 'postgresql';
  /** Builds and runs queries; a transaction is durable once it resolves. */
  readonly query: Kysely<Tables>;
  close(): Promise<void>;
}
