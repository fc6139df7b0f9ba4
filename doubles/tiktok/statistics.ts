/** The purpose of a request. */
export type RequestKind =
  | 'page'
  | 'home'
  | 'player'
  | 'embed'
  | 'oembed'
  | 'list'
  | 'short-link'
  | 'gateway'
  | 'video'
  | 'watermarked-video'
  | 'image'
  | 'captions'
  | 'sound'
  | 'other';

export interface PostStatistics {
  requests: number;
  byKind: Partial<Record<RequestKind, number>>;
  bytesSent: number;
}

export interface Statistics {
  requests: number;
  byHost: Record<string, number>;
  byKind: Partial<Record<RequestKind, number>>;
  byStatus: Record<string, number>;
  /** Each client's requests, by the address that a proxy in front gave it. */
  byClient: Record<string, Partial<Record<RequestKind, number>>>;
  /** Requests to pages by the kind of their agent: desktop, phone, honest. */
  byAgent: Record<string, number>;
  byHttpVersion: Record<string, number>;
  /** Requests with a cookie that another client received. A product that keeps its jars apart has none. */
  foreignCookies: number;
  /** By the post's name in the list. */
  byPost: Record<string, PostStatistics>;
  /** CONNECT targets outside the list of hosts, and plain requests to the proxy. A safe product has none. */
  foreign: Record<string, number>;
  bytesSent: number;
  connections: { open: number; most: number; total: number };
  /** Answers being sent. */
  transfers: { open: number; most: number };
}

export function emptyStatistics(): Statistics {
  return {
    requests: 0,
    byHost: {},
    byKind: {},
    byStatus: {},
    byClient: {},
    byAgent: {},
    byHttpVersion: {},
    foreignCookies: 0,
    byPost: {},
    foreign: {},
    bytesSent: 0,
    connections: { open: 0, most: 0, total: 0 },
    transfers: { open: 0, most: 0 },
  };
}

/** Restarts the counts; open connections stay open. */
export function resetStatistics(statistics: Statistics): void {
  const connections = statistics.connections.open;
  const transfers = statistics.transfers.open;
  Object.assign(statistics, emptyStatistics());
  statistics.connections = { open: connections, most: connections, total: 0 };
  statistics.transfers = { open: transfers, most: transfers };
}

export function increment<Key extends string>(counts: Partial<Record<Key, number>>, key: Key): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

export function opened(gauge: { open: number; most: number; total?: number }): void {
  gauge.open += 1;
  gauge.most = Math.max(gauge.most, gauge.open);
  if (gauge.total !== undefined) gauge.total += 1;
}

export function postStatistics(statistics: Statistics, name: string): PostStatistics {
  statistics.byPost[name] ??= { requests: 0, byKind: {}, bytesSent: 0 };
  return statistics.byPost[name];
}
