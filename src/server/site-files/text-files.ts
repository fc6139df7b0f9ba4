import type { FastifyInstance } from 'fastify';
import { pathFor } from '../../site/addressing/addresses.ts';
import { sendText, sharedText } from '../http/responses/send.ts';
import type { ServerDependencies } from '../instance/parts.ts';

const dayMs = 86_400_000;
/** RFC 9116 recommends less than a year. */
const securityDays = 180;

/** Addresses excluded from crawling: one visitor's responses, and addresses with side effects. */
const closed = ['/api/files/', '/api/pictures/', '/api/resolve', '/cookie_set', '/*?url=', '/*?text='];

type Parts = Pick<ServerDependencies, 'configuration' | 'origin'>;

function robots({ origin }: Parts): string {
  return `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${origin}/sitemap.xml\n`;
}

/** RFC 9116. */
function security({ configuration, origin }: Parts, now: number): string {
  const { security_contact, default_locale, locales } = configuration;
  const contact = security_contact ?? origin + pathFor(configuration, default_locale, 'contact');
  const expires = new Date(Math.floor(now / dayMs) * dayMs + securityDays * dayMs).toISOString();
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    `Preferred-Languages: ${[default_locale, ...locales.filter((one) => one !== default_locale)].join(', ')}`,
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}

function humans({ configuration, origin }: Parts): string {
  return [
    '/* SITE */',
    `Name: ${configuration.brand}`,
    `Contact: ${origin}${pathFor(configuration, configuration.default_locale, 'contact')}`,
    `Languages: ${configuration.locales.join(', ')}`,
    'Software: Clipferry, free software under the AGPL-3.0-or-later',
    'Components: React, React Router, Fastify, Node.js, FFmpeg or LAME',
    '',
  ].join('\n');
}

/** Without sellers the file says so in the form of IAB Tech Lab's specification (ads.txt 1.1, 3.2.1). */
function ads({ configuration }: Parts): string {
  const { ads_txt } = configuration;
  const lines = ads_txt.length > 0 ? ads_txt : ['placeholder.example.com, placeholder, DIRECT, placeholder'];
  return `${lines.join('\n')}\n`;
}

/** `/robots.txt`, `/.well-known/security.txt`, `/humans.txt`, `/ads.txt`, from the site configuration. */
export function textFiles(app: FastifyInstance, parts: Parts, now: () => number = Date.now): void {
  const files: Readonly<Record<string, () => string>> = {
    '/robots.txt': () => robots(parts),
    '/.well-known/security.txt': () => security(parts, now()),
    '/humans.txt': () => humans(parts),
    '/ads.txt': () => ads(parts),
  };
  for (const [path, write] of Object.entries(files))
    app.get(path, (request, reply) =>
      sendText(sharedText(write()), { type: 'text/plain; charset=utf-8', maxAgeS: 3600 }, request, reply),
    );
}

/** Serves the icons and the logo of the site's own folder. */
export function ownFiles(app: FastifyInstance, { own: { files } }: Pick<ServerDependencies, 'own'>): void {
  for (const [path, { type, bytes }] of files)
    app.get(path, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=3600')
        .send(await bytes()),
    );
}
