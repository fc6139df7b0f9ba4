import { type CommandDeclaration, type CommandGroup, command } from '../../../server/commands/declaration.ts';

const dryRun = { about: 'print what would change, and change nothing' } as const;
const unpublished = { about: 'leave new articles unpublished' } as const;
const locale = { value: 'LANGUAGE', about: 'only this language (default: all)' } as const;

/** Import and export, which posts, categories and authors have in common. @param what is written and read */
const transfer = (name: 'posts' | 'categories' | 'authors', what: string): readonly CommandDeclaration[] => [
  command({
    name: 'import',
    about: `import ${what} from a folder`,
    arguments: { folder: { about: 'folder to import' } },
    options: { dryRun, ...(name === 'posts' && { unpublished }) },
    load: async () => (await import('./content.ts')).importPart(name),
  }),
  command({
    name: 'export',
    about: `export ${what} to a folder that import can read`,
    arguments: { folder: { about: 'folder to write to' } },
    load: async () => (await import('./content.ts')).exportPart(name),
  }),
];

/** Which articles: by the names of their folders. */
const oneOrAll = {
  arguments: { names: { about: 'names of articles, as in "posts list"', several: true } },
  options: { locale },
} as const;

export const posts: CommandGroup = {
  name: 'posts',
  about: 'manage articles with their categories and authors',
  commands: [
    ...transfer('posts', 'articles, categories and authors'),
    command({
      name: 'list',
      about: 'list articles, one line for each language',
      options: { locale },
      load: async () => (await import('./content.ts')).listPosts,
    }),
    command({
      name: 'unpublish',
      about: 'hide articles until they are published again',
      ...oneOrAll,
      load: async () => (await import('./content.ts')).unpublishPosts,
    }),
    command({
      name: 'publish',
      about: 'publish unpublished articles',
      ...oneOrAll,
      load: async () => (await import('./content.ts')).publishPosts,
    }),
    command({
      name: 'delete',
      about: 'delete articles',
      arguments: oneOrAll.arguments,
      options: { dryRun, locale },
      load: async () => (await import('./content.ts')).deletePosts,
    }),
  ],
};

export const categories: CommandGroup = {
  name: 'categories',
  about: 'manage categories',
  commands: [
    ...transfer('categories', 'categories'),
    command({
      name: 'list',
      about: 'list categories with their English names',
      load: async () => (await import('./content.ts')).listCategoryNames,
    }),
    command({
      name: 'delete',
      about: 'delete unused categories',
      details: 'A category with articles or subcategories is not deleted. The exit code is then 1.',
      arguments: { names: { about: 'names of categories, as in "categories list"', several: true } },
      load: async () => (await import('./content.ts')).deleteCategories,
    }),
  ],
};

export const authors: CommandGroup = {
  name: 'authors',
  about: 'manage authors',
  commands: [
    ...transfer('authors', 'authors'),
    command({
      name: 'list',
      about: 'list authors with their English names',
      load: async () => (await import('./content.ts')).listAuthorNames,
    }),
    command({
      name: 'delete',
      about: 'delete authors without articles',
      details: 'An author with articles is not deleted. The exit code is then 1.',
      arguments: { names: { about: 'names of authors, as in "authors list"', several: true } },
      load: async () => (await import('./content.ts')).deleteAuthors,
    }),
  ],
};
