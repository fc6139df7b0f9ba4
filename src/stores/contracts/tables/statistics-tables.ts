import type { Generated } from 'kysely';

/**
 * One report of a visitor who consented to statistics. Rows are deleted after some weeks, or at the visitor's request.
 */
export interface ReportTable {
  id: Generated<number>;
  /** Given by the browser: the same report counts once. */
  upload_id: string;
  made_at: number;
  /** The visitor's random token. */
  token: string;
  /** The visit's random name. */
  session: string;
  mode: 'page_view' | 'event';
  /** Key of the page. */
  page: string;
  locale: string;
  device: string;
  /** Family of the browser. */
  browser: string;
  system: string;
  /** JSON: the other reported data. */
  payload: string;
}

/** A visitor's erasure request, kept for some minutes, so that reports in transit are deleted too. */
export interface ForgottenTokenTable {
  token: string;
  made_at: number;
}

/** Number of events on a day, without personal data. Unused columns are empty. */
export interface DailySumTable {
  /** In the form `2026-11-22`, UTC. */
  day: string;
  /**
   * `view` (a page was sent), `download` (a file was sent), and of consenting visitors: `visitor`, `visit`, `event`;
   * `uncounted`: excluded by a limit.
   */
  subject: string;
  /** Key of the page. */
  page: string;
  /** The event's name, or the format of a file. */
  name: string;
  /** Label of the event, or how a download ended. */
  detail: string;
  locale: string;
  device: string;
  total: number;
}

/** A visit that saw an experiment: it counts once there, and converts once at the most. Deleted like reports. */
export interface ExperimentVisitTable {
  session: string;
  experiment: string;
  token: string;
  variant: string;
  made_at: number;
  /** 0 or 1. */
  converted: number;
}

/** The number of visits that saw a variant of an experiment on a day, and of those that reached its goal. */
export interface ExperimentDayTable {
  experiment: string;
  variant: string;
  /** The day on which the visit began, in the form `2026-11-22`, UTC. */
  day: string;
  exposures: number;
  conversions: number;
}
