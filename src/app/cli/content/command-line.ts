import { type CommandDeclaration, type CommandGroup, command } from '../../../server/commands/declaration.ts';

const dryRun = { about: 'only say what would be done' } as const;
const unpublished = { about: 'leave new articles unpublished' } as const;

/** Import and export, which posts, categories and authors have in common. @param what is written and read */
const transfer = (name: 'posts' | 'categories' | 'authors', what: string): readonly CommandDeclaration[] => [
  command({
    name: 'import',
    about: `write ${what} of a folder into the database`,
    arguments: { folder: { about: 'the folder to import' } },
    options: { dryRun, ...(name === 'posts' && { unpublished }) },
    load: async () => (await import('./content.ts')).importPart(name),
  }),
  command({
    name: 'export',
    about: `write ${what} to a folder, as files that can be imported`,
    arguments: { folder: { about: 'the folder to write to' } },
    load: async () => (await import('./content.ts')).exportPart(name),
  }),
];

/** Which articles: by the names of their folders. */
const oneOrAll = {
  arguments: { names: { about: 'names of articles', several: true } },
  options: { locale: { value: 'LANGUAGE', about: 'in this language only' } },
} as const;

export const posts: CommandGroup = {
  name: 'posts',
  about: 'articles, with their categories and authors',
  commands: [
    ...transfer('posts', 'articles, categories and authors'),
    command({
      name: 'list',
      about: 'every article, a line for each language',
      options: { locale: { value: 'LANGUAGE', about: 'of this language only' } },
      load: async () => (await import('./content.ts')).listPosts,
    }),
    command({
      name: 'unpublish',
      about: 'take articles back, until they are published again',
      ...oneOrAll,
      load: async () => (await import('./content.ts')).unpublishPosts,
    }),
    command({
      name: 'publish',
      about: 'show articles that are unpublished',
      ...oneOrAll,
      load: async () => (await import('./content.ts')).publishPosts,
    }),
    command({
      name: 'delete',
      about: 'delete articles by the names of their folders',
      arguments: { names: { about: 'names of articles', several: true } },
      options: { dryRun, locale: { value: 'LANGUAGE', about: 'in this language only' } },
      load: async () => (await import('./content.ts')).deletePosts,
    }),
  ],
};

export const categories: CommandGroup = {
  name: 'categories',
  about: 'categories alone',
  commands: [
    ...transfer('categories', 'categories'),
    command({
      name: 'list',
      about: 'every category with its English name',
      load: async () => (await import('./content.ts')).listCategoryNames,
    }),
    command({
      name: 'delete',
      about: 'delete categories, each on its own',
      arguments: { names: { about: 'names of categories', several: true } },
      load: async () => (await import('./content.ts')).deleteCategories,
    }),
  ],
};

export const authors: CommandGroup = {
  name: 'authors',
  about: 'authors alone',
  commands: [
    ...transfer('authors', 'authors'),
    command({
      name: 'list',
      about: 'every author with their English name',
      load: async () => (await import('./content.ts')).listAuthorNames,
    }),
    command({
      name: 'delete',
      about: 'delete authors, each on their own',
      arguments: { names: { about: 'names of authors', several: true } },
      load: async () => (await import('./content.ts')).deleteAuthors,
    }),
  ],
};
