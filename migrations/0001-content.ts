import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** Categories, authors, articles, the lists that show them, their pictures, and the notes of what changed. */
export const content: Migration = {
  name: '0001-content',
  async up({ schema }, engine) {
    const bytes = engine === 'sqlite' ? sql`blob` : sql`bytea`;
    const clustered = engine === 'sqlite' ? sql`without rowid` : sql``;

    await schema
      .createTable('categories')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('uid', 'text', (column) => column.notNull().unique())
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('parent_id', 'integer', (column) => column.references('categories.id'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createTable('category_texts')
      .addColumn('category_id', 'integer', (column) =>
        column.notNull().references('categories.id').onDelete('cascade'),
      )
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('category_texts_key', ['category_id', 'locale'])
      .execute();

    await schema
      .createTable('authors')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('picture', 'text')
      .addColumn('position', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createTable('author_texts')
      .addColumn('author_id', 'text', (column) =>
        column.notNull().references('authors.id').onDelete('cascade'),
      )
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('bio', 'text', (column) => column.notNull())
      .addColumn('links', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('author_texts_key', ['author_id', 'locale'])
      .execute();

    await schema
      .createTable('articles')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('category_id', 'integer', (column) => column.notNull().references('categories.id'))
      .addColumn('author_id', 'text', (column) => column.notNull().references('authors.id'))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('keywords', 'text', (column) => column.notNull())
      .addColumn('cover', 'text')
      .addColumn('published_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('is_hot', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('is_top', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('views', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('heat', 'double precision', (column) => column.notNull().defaultTo(0))
      .addColumn('pictures', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addUniqueConstraint('articles_address', ['locale', 'slug'])
      .addUniqueConstraint('articles_language', ['key', 'locale'])
      .execute();
    // Most articles were never read: indexes of those that were, or that the operator put forward, stay small.
    await schema
      .createIndex('articles_hot')
      .on('articles')
      .columns(['locale', 'heat desc', 'id desc'])
      .where(sql`is_hot`, '=', sql.lit(1))
      .execute();
    await schema
      .createIndex('articles_heat')
      .on('articles')
      .columns(['locale', 'heat desc', 'id desc'])
      .where(sql`heat`, '>', sql.lit(0))
      .execute();
    await schema
      .createIndex('articles_top')
      .on('articles')
      .columns(['locale', 'views desc', 'id desc'])
      .where(sql`is_top`, '=', sql.lit(1))
      .execute();
    await schema
      .createIndex('articles_views')
      .on('articles')
      .columns(['locale', 'views desc', 'id desc'])
      .where(sql`views`, '>', sql.lit(0))
      .execute();
    await schema.createIndex('articles_category').on('articles').column('category_id').execute();
    await schema.createIndex('articles_author').on('articles').column('author_id').execute();

    await schema
      .createTable('listings')
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('published_at', 'bigint', (column) => column.notNull())
      .addColumn('article_id', 'integer', (column) =>
        column.notNull().references('articles.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('listings_key', ['locale', 'list', 'published_at', 'article_id'])
      .modifyEnd(clustered)
      .execute();
    await schema.createIndex('listings_article').on('listings').column('article_id').execute();
    await schema
      .createTable('listing_marks')
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('place', 'integer', (column) => column.notNull())
      .addColumn('published_at', 'bigint', (column) => column.notNull())
      .addColumn('article_id', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('listing_marks_key', ['locale', 'list', 'place'])
      .modifyEnd(clustered)
      .execute();
    await schema
      .createTable('listing_totals')
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('listing_totals_key', ['locale', 'list'])
      .execute();

    await schema
      .createTable('pictures')
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('bytes', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('pictures_key', ['id', 'width', 'format'])
      .execute();

    await schema
      .createTable('changes')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
