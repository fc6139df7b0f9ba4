import { type CommandDeclaration, type CommandGroup, command } from '../../../server/commands/declaration.ts';

const dryRun = { about: 'print what would change; change nothing' } as const;
const unpublished = { about: 'keep new articles unpublished' } as const;

/** Import and export, which posts, categories and authors have in common. @param what is written and read */
const transfer = (name: 'posts' | 'categories' | 'authors', what: string): readonly CommandDeclaration[] => [
  command({
    name: 'import',
    about: `import ${what} from a folder`,
    arguments: { folder: { about: 'the folder to import' } },
    options: { dryRun, ...(name === 'posts' && { unpublished }) },
    load: async () => (await import('./content.ts')).importPart(name),
  }),
  command({
    name: 'export',
    about: `export ${what} to a folder, in the form that import reads`,
    arguments: { folder: { about: 'the folder to write to' } },
    load: async () => (await import('./content.ts')).exportPart(name),
  }),
];

/** Which articles: by the names of their folders. */
const oneOrAll = {
  arguments: { names: { about: 'names of articles, as listed', several: true } },
  options: { locale: { value: 'LANGUAGE', about: 'only this language' } },
} as const;

export const posts: CommandGroup = {
  name: 'posts',
  about: 'manage articles, with their categories and authors',
  commands: [
    ...transfer('posts', 'articles, categories and authors'),
    command({
      name: 'list',
      about: 'list articles, one line per language',
      options: { locale: { value: 'LANGUAGE', about: 'only this language' } },
      load: async () => (await import('./content.ts')).listPosts,
    }),
    command({
      name: 'unpublish',
      about: 'unpublish articles',
      ...oneOrAll,
      load: async () => (await import('./content.ts')).unpublishPosts,
    }),
    command({
      name: 'publish',
      about: 'publish articles again',
      ...oneOrAll,
      load: async () => (await import('./content.ts')).publishPosts,
    }),
    command({
      name: 'delete',
      about: 'delete articles',
      arguments: { names: { about: 'names of articles, as listed', several: true } },
      options: { dryRun, locale: { value: 'LANGUAGE', about: 'only this language' } },
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
      about: 'delete categories',
      arguments: { names: { about: 'names of categories', several: true } },
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
      about: 'delete authors',
      arguments: { names: { about: 'names of authors', several: true } },
      load: async () => (await import('./content.ts')).deleteAuthors,
    }),
  ],
};
