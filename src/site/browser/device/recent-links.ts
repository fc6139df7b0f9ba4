import { createDeviceList } from './device-list.ts';

/** A link that worked on this device. */
export interface RecentLink {
  readonly url: string;
  readonly title: string;
}

const links = createDeviceList<RecentLink>('recent-links', ['url', 'title']);

/** The last five links that worked, newest first; empty on the server. */
export const useRecentLinks = links.useEntries;

/** Puts a link first; only the newest five stay. */
export const rememberLink = (link: RecentLink): void =>
  links.remember(link, (other) => other.url === link.url);

/** Removes a link. */
export const forgetLink = (url: string): void => links.remove((link) => link.url === url);

export const forgetLinks = links.forget;
