import { z } from 'zod';
import { locales } from '../../i18n/languages.ts';
import { accentField } from './accent.ts';
import { platformNames } from './platforms.ts';
import { servingFields } from './serving.ts';
import { isStaticPage, namePage } from './static-pages.ts';
import { visitorFields } from './visitor-fields.ts';

/** The options of a post that a downloader page may offer, in the order in which it shows them. */
const downloadButton = z.enum(['mp4', 'mp4-hd', 'mp3', 'm4a']);

/** A path of this site without its language, or an address of another site. */
const linkUrl = z.string().refine((url) => /^\/(?![/\\])/.test(url) || /^https:\/\//.test(url), {
  message: 'must be a path that starts with one "/" or an https:// address',
});

/** The name of a catalogue page or of a message; never a text. */
const catalogueName = z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'must be a name in lower case');

const menuLink = z.strictObject({
  url: linkUrl,
  /** Message of the `common` catalogue page, under `menu.`. */
  text: catalogueName,
  /** Further paths on which this item is the present one. */
  map_url: z.array(linkUrl).optional(),
  open_new_page: z.boolean().default(false),
});

const menuItem = menuLink.extend({ children: z.array(menuLink).optional() });

const footLink = z.strictObject({
  url: linkUrl,
  /** Message of the `common` catalogue page, under `menu.`. */
  text: catalogueName,
  extra_attr: z
    .record(z.string().regex(/^(?:title|rel|hreflang|data-[a-z-]+)$/, 'may not be set on a link'), z.string())
    .default({}),
});

const footColumn = z.strictObject({
  /** Message of the `common` catalogue page, under `footer.`. */
  title: catalogueName,
  links: z.array(footLink).min(1),
});

const allowedLocales = z.array(z.enum(locales)).min(1);

/** A page's address on this site, without language, "/" or "/name"; read as the page's name. */
const pageUrl = z
  .string()
  .regex(/^\/(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/, 'must be "/" or one segment in lower case, like "/contact"')
  .transform((url) => url.slice(1));

/** Parameters of a resolve call besides the link. */
const extraParameter = z.strictObject({
  key: z.string().regex(/^(?!url$)[A-Za-z_]\w{0,63}$/, 'must be the name of a parameter, and not "url"'),
  value: z.union([z.string().max(200), z.number(), z.boolean()]),
});

const downloadFields = {
  /** The platform whose links the page accepts. */
  media: z.enum(platformNames).default(platformNames[0]),
  /** A working link, for visitors who want to try. */
  example_url: z.url({ protocol: /^https$/ }),
  download_btns: z.array(downloadButton).min(1),
  /** Parameters that the page's script sends with a link. */
  extraParams: z
    .array(extraParameter)
    .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'names a parameter twice')
    .default([])
    .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value]))),
};

const moduleFields = {
  /** Path of one segment, without language. */
  url: z
    .string()
    .regex(/^\/[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be one segment in lower case, like "/tiktok-downloader"'),
  /** Catalogue page with the texts. */
  lang_file: catalogueName,
  /** Names the page in statistics; its address when it is left out. */
  elk_key: catalogueName.optional(),
  /** Message of the `common` catalogue page, under `menu.`: the page's short name in menus. */
  text: catalogueName,
  /** Icon names; the n-th feature's texts are `features.{n}.title` and `features.{n}.text`. */
  features: z
    .array(z.enum(['shield', 'sparkles', 'clock', 'music', 'phone', 'images', 'film', 'globe']))
    .default([]),
  /** Number of help steps. */
  helps: z.int().min(0).max(10).default(0),
  /** Number of questions. */
  faq: z.int().min(0).max(10).default(0),
  /** The only languages that have this page; all of them when it is left out. */
  locales: allowedLocales.optional(),
};

/** Becomes part of a sentence in Markdown. */
const oneLine = z
  .string()
  .trim()
  .min(5)
  .max(300)
  .regex(/^[^\n\r{}<>]+$/, 'must be one line without { } < >');

const coreFields = {
  ...servingFields,
  ...visitorFields,
  domain: z.hostname(),
  /** Further host names of the site, in lower case. */
  hosts: z.array(z.hostname().transform((host) => host.toLowerCase())).default([]),
  /** The name that visitors see; the domain when it is left out. */
  brand: z.string().trim().min(1).max(40).optional(),
  /** Colours in place of the product's. */
  accent: accentField.optional(),
  locales: z.array(z.enum(locales)).min(1).readonly(),
  default_locale: z.enum(locales),
  menus_info: z.array(menuItem),
  /** Up to four columns; the links of the fourth open in a new tab. */
  foot_links: z.array(footColumn).max(4).default([]),
  /** Static pages that only some languages have. */
  restricted_pages: z
    .record(pageUrl, allowedLocales)
    .default({})
    .transform((pages) => new Map(Object.entries(pages))),
  /**
   * By language, pages that have another address there: one of this site's own or an `https://` address. Without
   * slashes.
   */
  abnormal_pages: z
    .partialRecord(z.enum(locales), z.record(pageUrl, z.union([pageUrl, z.url({ protocol: /^https$/ })])))
    .default({}),
  /** Origins to which every page preconnects. */
  preconnect: z.array(z.url({ protocol: /^https$/ }).transform((url) => new URL(url).origin)).default([]),
  /** The site's operator, a person's or a company's name, for the legal documents; its domain by default. */
  operator: z.string().min(1).optional(),
  /** Where the operator can be served, in one line, for the legal documents. */
  operator_address: oneLine.optional(),
  /** Year in which the site began. */
  since: z.int().min(2016).max(2100).optional(),
  /** The agent for copyright notices (17 U.S.C. 512(c)(2)): name, address, telephone and e-mail, in one line. */
  dmca_agent: oneLine.optional(),
  /** For the legal documents; `contact@` and the domain by default. */
  contact_email: z.email().optional(),
  /** Where the source of the running program is published (AGPL, section 13). */
  source_url: z.url({ protocol: /^https$/ }).optional(),
  /** Sites to which articles may link without `nofollow`; their subdomains too. */
  partner_domains: z.array(z.hostname()).default([]),
  default_options: z
    .strictObject({
      /** Whether categories are read when the site starts, and shown. */
      has_category: z.boolean().default(true),
    })
    .prefault({}),
  posts_info: z
    .strictObject({
      /** Categories (uid or slug); the n-th has the page title `category.{n}.head.title`. */
      categories: z.array(z.string()).max(3).default([]),
      /** Articles, by their key, that say where a downloaded file is found on a device. */
      file_help: z.partialRecord(z.enum(['ios', 'android', 'computer']), z.string()).default({}),
    })
    .default({ categories: [], file_help: {} }),
};

/** The fields that a feature adds. */
interface AddedFields {
  readonly fields?: z.ZodRawShape;
  readonly moduleFields?: z.ZodRawShape;
  readonly downloadFields?: z.ZodRawShape;
  checkDownload?(fields: object, context: z.RefinementCtx): void;
}

/** Fields, with those that features add. @throws Error for a name that is there twice */
function withFields<Own extends z.ZodRawShape>(
  own: Own,
  features: readonly AddedFields[],
  part: 'fields' | 'moduleFields' | 'downloadFields',
): Own {
  const all = [own, ...features.map((feature) => feature[part] ?? {})].flatMap((shape) =>
    Object.entries(shape),
  );
  refuseRepeated(
    all.map(([name]) => name),
    (_, name) => {
      throw new Error(`Two fields of the site configuration have the name "${name}"`);
    },
  );
  return Object.fromEntries(all) as Own;
}

/**
 * The schema of `site.config.json`: the fields that every site has, and those of the features beside.
 * @throws Error when a feature's field has the name of another one
 */
export function fileSchema(features: readonly AddedFields[]) {
  const download_info = z
    .strictObject(withFields(downloadFields, features, 'downloadFields'))
    .superRefine((fields, context) => {
      for (const { checkDownload } of features) checkDownload?.(fields, context);
    });
  const module = z.strictObject({ ...withFields(moduleFields, features, 'moduleFields'), download_info });
  return z.strictObject({
    ...withFields(coreFields, features, 'fields'),
    index_modules: z.array(module),
    /** The home page's own module. */
    index_info: module.omit({ url: true, locales: true }),
  });
}

/** The file as far as it is known without features, checked field by field. */
export type SiteFile = z.output<ReturnType<typeof fileSchema>>;

/** A downloader page of the file, or the home page, which has no `url`. */
export type FileModule = SiteFile['index_info'] & Partial<SiteFile['index_modules'][number]>;

/** Refuses a value of the file, with a message that names its place. */
export type Refuse = (path: (string | number)[], message: string) => void;

/** Refuses pages and languages that do not fit each other. */
export function checkPages(file: SiteFile, featurePages: readonly string[], refuse: Refuse): void {
  const isTakenName = (name: string) => isStaticPage(name) || featurePages.includes(name);
  if (!file.locales.includes(file.default_locale)) refuse(['default_locale'], 'must be one of "locales"');
  refuseRepeated(file.locales, (at, value) => refuse(['locales', at], `"${value}" stands here twice`));
  const urls = file.index_modules.map((module) => module.url);
  refuseRepeated(urls, (at, value) => refuse(['index_modules', at, 'url'], `"${value}" stands here twice`));
  urls.forEach((url, at) => {
    if (file.locales.some((locale) => `/${locale}` === url)) {
      refuse(['index_modules', at, 'url'], `"${url}" is the address of a language`);
    }
    if (isTakenName(url.slice(1))) {
      refuse(['index_modules', at, 'url'], `"${url}" is the address of a page that every site has`);
    }
  });
  for (const page of file.restricted_pages.keys()) {
    if (namePage(page).page !== page || !isTakenName(page))
      refuse(['restricted_pages', `/${page}`], 'is no static page');
  }
  for (const [locale, pages] of Object.entries(file.abnormal_pages)) {
    const urlOf = (address: string) => (address.startsWith('https://') ? address : `/${address}`);
    const refusePage = (page: string, message: string) =>
      refuse(['abnormal_pages', locale, urlOf(page)], message);
    refuseRepeated(Object.values(pages), (index, value) =>
      refusePage(Object.keys(pages)[index] ?? '', `"${urlOf(value)}" stands here twice`),
    );
    for (const [page, address] of Object.entries(pages)) {
      const url = urlOf(address);
      if (page !== '' && !urls.includes(urlOf(page)) && !isPlace(page))
        refusePage(page, 'is no page of this site');
      if (!url.startsWith('/')) continue;
      const isTaken = urls.includes(url) || isTakenName(address);
      if (address === '' || isTaken || file.locales.some((locale) => address === locale))
        refusePage(page, `"${url}" is another page's address`);
    }
  }
  if (Object.keys(file.tag_ids).length > 0 && file.tag_host === undefined)
    refuse(['tag_host'], 'must say where the scripts of "tag_ids" come from');
  if (file.tag_connect.length > 0 && Object.keys(file.tag_ids).length === 0)
    refuse(['tag_connect'], 'is for the scripts of "tag_ids", of which there are none');
  [file.index_info, ...file.index_modules].forEach((module, at) => {
    refuseRepeated(module.download_info.download_btns, (index, value) =>
      refuse(
        [...(at === 0 ? ['index_info'] : ['index_modules', at - 1]), 'download_info', 'download_btns', index],
        `"${value}" stands here twice`,
      ),
    );
  });
}

/** Whether a static page has this as its first name, and may stand at another address. */
const isPlace = (page: string) => page !== '404' && isStaticPage(page) && namePage(page).page === page;

function refuseRepeated(values: readonly string[], refuse: (at: number, value: string) => void): void {
  values.forEach((value, at) => {
    if (values.indexOf(value) !== at) refuse(at, value);
  });
}
