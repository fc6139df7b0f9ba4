import { absolute } from '../../addressing/addresses.ts';
import type { SharePicture } from '../../addressing/share-picture.ts';
import type { DocumentData } from '../../document/document-data.ts';

/** One item of schema.org's vocabulary, as JSON-LD. Only facts that are true and visible on the page. */
export type StructuredData = Readonly<Record<string, unknown>> & { readonly '@type': string };

type Site = Pick<DocumentData, 'origin' | 'name' | 'lang' | 'homePath'>;

const organizationId = (origin: string) => `${origin}/#organization`;

/** The site's operator. */
export function organization({ origin, name }: Site): StructuredData {
  return {
    '@type': 'Organization',
    '@id': organizationId(origin),
    name,
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
  };
}

/** The site as a whole, in the page's language. */
export function webSite(site: Site): StructuredData {
  return {
    '@type': 'WebSite',
    '@id': `${site.origin}/#website`,
    name: site.name,
    url: absolute(site.origin, site.homePath),
    inLanguage: site.lang,
    publisher: { '@id': organizationId(site.origin) },
  };
}

/** The page that says who runs the site. */
export function aboutPage(
  site: Site,
  { title, description, href }: { title: string; description: string; href: string },
): StructuredData {
  return {
    '@type': 'AboutPage',
    name: title,
    description,
    url: absolute(site.origin, href),
    inLanguage: site.lang,
    mainEntity: organization(site),
  };
}

/** A downloader page: a free program that runs in the browser. */
export function webApplication(
  site: Site,
  { name, description, href }: { name: string; description: string; href: string },
): StructuredData {
  return {
    '@type': 'WebApplication',
    name,
    description,
    url: absolute(site.origin, href),
    applicationCategory: 'MultimediaApplication',
    operatingSystem: 'Any',
    browserRequirements: 'Requires a web browser; JavaScript is optional.',
    inLanguage: site.lang,
    isAccessibleForFree: true,
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
    publisher: { '@id': organizationId(site.origin) },
  };
}

/** The breadcrumbs from the home page to this one; the last entry is the page itself. */
export function breadcrumbs(
  { origin }: Pick<DocumentData, 'origin'>,
  trail: readonly { readonly name: string; readonly href: string }[],
): StructuredData {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, href }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: absolute(origin, href),
    })),
  };
}

/** An article: who wrote it, when, and what it is about. */
export function article(
  site: Site,
  written: {
    readonly title: string;
    readonly intro: string;
    readonly href: string;
    readonly lang: string;
    readonly section: string | null;
    readonly published: { readonly iso: string };
    readonly modified: string;
    readonly author: { readonly name: string; readonly href: string | null } | null;
    readonly sharePicture: SharePicture;
  },
): StructuredData {
  const { origin } = site;
  const { author, sharePicture } = written;
  const url = absolute(origin, written.href);
  return {
    '@type': 'Article',
    headline: written.title,
    description: written.intro,
    url,
    mainEntityOfPage: url,
    inLanguage: written.lang,
    datePublished: written.published.iso,
    dateModified: written.modified,
    isAccessibleForFree: true,
    ...(written.section !== null && { articleSection: written.section }),
    // The profiles are teams of the site, not persons.
    ...(author !== null && {
      author: {
        '@type': 'Organization',
        name: author.name,
        ...(author.href !== null && { url: absolute(origin, author.href) }),
      },
    }),
    image: {
      '@type': 'ImageObject',
      url: origin + sharePicture.path,
      width: sharePicture.width,
      height: sharePicture.height,
    },
    publisher: organization(site),
  };
}
