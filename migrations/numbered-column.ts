import type { ColumnDefinitionBuilder } from 'kysely';
import type { Engine } from './migration.ts';

/** A primary key that counts up by itself; a number is never given twice. */
export const numbered = (engine: Engine) => (column: ColumnDefinitionBuilder) =>
  engine === 'sqlite'
    ? column.primaryKey().autoIncrement()
    : column.primaryKey().generatedByDefaultAsIdentity();
