import { z } from 'zod';
import { type ArticleToSave, maxSlugLength, slugPattern, uidPattern } from '../content.ts';

const name = z
  .string()
  .max(maxSlugLength)
  .regex(slugPattern, 'must be lower-case letters, digits and single hyphens');

const text = (most: number) =>
  z.string().trim().min(1, 'must not be empty').max(most, `must have at most ${most} characters`);

/** A date, or a date with time and offset; as milliseconds since 1970. */
const time = z
  .string('must be a date like 2026-11-21 or 2026-11-21T08:00:00Z')
  .regex(
    /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/,
    'must be a date like 2026-11-21 or 2026-11-21T08:00:00Z',
  )
  .transform((written) => Date.parse(written))
  .refine((at) => !Number.isNaN(at), 'there is no such date');

/** A picture beside the file. */
const pictureFile = z
  .string()
  .regex(/^[\w][\w.-]*$/, 'must be the name of a file in the same folder')
  .max(200);

const linkUrl = z
  .string()
  .max(500)
  .refine(
    (url) => /^\/(?![/\\])/.test(url) || /^https:\/\//.test(url),
    'must start with one "/" or with https://',
  );

/** Front matter of an article. */
export const articleFields = z.strictObject({
  title: text(200),
  description: text(500),
  keywords: z.string().trim().max(500).default(''),
  slug: name.optional(),
  category: z.union([z.string(), z.number()], 'must be the slug or uid of a category').transform(String),
  author: z.string(),
  published: time,
  updated: time.optional(),
  cover: pictureFile.optional(),
  cover_alt: z.string().trim().max(300).default(''),
  hot: z.boolean().default(false),
  top: z.boolean().default(false),
  translate: z.boolean().optional(),
});

/**
 * Maps front matter to the product's field names; fields with equal names are passed on. The order is the digest's:
 * changing it makes every article count as changed.
 * @param key the default for the address
 */
export function fromFrontMatter(
  key: string,
  { slug = key, category, author, published, updated, hot, top, ...fields }: z.output<typeof articleFields>,
) {
  const { cover: _, cover_alt: __, translate: ___, ...same } = fields;
  const times = { publishedAt: published, updatedAt: updated ?? published };
  // A cover is read from its file.
  return { slug, category, authorId: author, ...same, cover: null, ...times, isHot: hot, isTop: top };
}

/** The opposite of {@link fromFrontMatter}. */
export function toFrontMatter(article: ArticleToSave & { category: string }): Record<string, unknown> {
  const { authorId, publishedAt, updatedAt, cover, isHot, isTop } = article;
  const written = {
    ...article,
    author: authorId,
    published: new Date(publishedAt).toISOString(),
    updated: new Date(updatedAt).toISOString(),
    cover: cover?.file ?? null,
    cover_alt: cover?.alt ?? '',
    hot: isHot,
    top: isTop,
    translate: null,
  };
  return Object.fromEntries(articleFields.keyof().options.map((name) => [name, written[name]]));
}

/** Front matter of an author. */
export const authorFields = z.strictObject({
  id: name.optional(),
  name: text(100),
  picture: pictureFile.optional(),
  position: z.int().optional(),
  links: z
    .array(z.strictObject({ text: text(100), url: linkUrl }))
    .max(10)
    .default([]),
});

const byLanguage = (most: number) => z.record(z.string(), text(most));

const categoryShape = {
  uid: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().regex(uidPattern, 'must be letters, digits, "-" and "_"')),
  slug: name,
  position: z.int().optional(),
  names: byLanguage(100),
  descriptions: byLanguage(500).default({}),
};

/** A category's file, its children in it. */
export const categoryFields = z.strictObject({
  ...categoryShape,
  children: z.array(z.strictObject(categoryShape)).max(100).default([]),
});

/** Whether a folder or file name can stand in an address. */
export const isName = (candidate: string) => name.safeParse(candidate).success;
