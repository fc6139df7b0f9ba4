import type { Generated } from 'kysely';

/** One report of a visitor who agreed to statistics. Rows are deleted after some weeks, or when the visitor asks for it. */
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
  /** JSON: what else was reported. */
  payload: string;
}

/** A visitor's wish to be forgotten, kept for some minutes: what was on its way then is deleted too. */
export interface ForgottenTokenTable {
  token: string;
  made_at: number;
}

/** How often something happened on a day; says nothing of anybody. Parts that a subject does not have are empty. */
export interface DailySumTable {
  /** As `2026-11-22`, in UTC. */
  day: string;
  /**
   * `view` (a page that was sent), `download` (a file that was sent), and of visitors who agreed: `visitor`, `visit`,
   * `event`;
   * `uncounted`: what a limit left out.
   */
  subject: string;
  /** Key of the page. */
  page: string;
  /** Of the event, or the format of a file. */
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

/** How many visits saw a variant of an experiment on a day, and how many of these did what it is about. */
export interface ExperimentDayTable {
  experiment: string;
  variant: string;
  /** Of the visit's beginning, as `2026-11-22`, in UTC. */
  day: string;
  exposures: number;
  conversions: number;
}
