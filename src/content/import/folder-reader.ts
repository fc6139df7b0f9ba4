import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Picture } from '../content.ts';
import { type MarkdownFile, readMarkdown } from '../files/checked-files.ts';
import type { Problem } from '../files/problems.ts';
import { isName } from './fields.ts';
import { readOwnFile } from './own-file.ts';
import { lookAtPicture, type PictureFile, toPictureOf } from './pictures.ts';

/** The facts about the site that an import needs. */
export interface SiteNames {
  readonly locales: readonly string[];
  /** Whether an address of one segment is a page or a language already. */
  isTaken(slug: string): boolean;
}

/** A text of the largest book chapter has a fifth of this. */
const maxMarkdownBytes = 512 * 1024;

/** Collects what is found while the folder is read. */
export class FolderReader {
  readonly problems: Problem[] = [];
  readonly pictures = new Map<string, PictureFile>();
  readonly names: SiteNames;

  constructor(names: SiteNames) {
    this.names = names;
  }

  refuse(file: string, line: number, reason: string): void {
    this.problems.push({ file, line, reason });
  }

  async picture(
    folder: string,
    name: string,
    alt: string,
    file: string,
    line: number,
  ): Promise<Picture | null> {
    try {
      const path = join(folder, name);
      const looked = this.pictures.get(path) ?? (await lookAtPicture(folder, name));
      this.pictures.set(path, looked);
      return toPictureOf(looked, alt);
    } catch (error) {
      this.refuse(file, line, (error as Error).message);
      return null;
    }
  }

  /** A file's bytes; null when it may not be read. */
  bytes(file: string, maxBytes = maxMarkdownBytes): Buffer | null {
    try {
      return readOwnFile(file, maxBytes);
    } catch (error) {
      this.refuse(file, 0, (error as Error).message);
      return null;
    }
  }

  /** The entries of a folder, sorted by name, without hidden entries and targets of symbolic links. */
  entries(folder: string): Dirent[] {
    const facts = lstatSync(folder, { throwIfNoEntry: false });
    if (facts?.isSymbolicLink()) this.refuse(folder, 0, 'is a symbolic link');
    if (!facts?.isDirectory()) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => {
        if (entry.name.startsWith('.')) return false;
        if (entry.isSymbolicLink()) this.refuse(join(folder, entry.name), 0, 'is a symbolic link');
        return !entry.isSymbolicLink();
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The subfolders whose names can be part of an address. */
  folders(folder: string): string[] {
    const found = this.entries(folder).filter((entry) => entry.isDirectory());
    for (const { name } of found)
      if (!isName(name))
        this.refuse(join(folder, name), 0, 'must be lower-case letters, digits and single hyphens');
    return found.map(({ name }) => name).filter(isName);
  }

  /** The Markdown files of a folder by their language. */
  languages(folder: string): { locale: string; file: string }[] {
    const found = this.entries(folder)
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.md'));
    if (found.length === 0) this.refuse(folder, 0, 'has no Markdown file');
    return found.flatMap((name) => {
      const locale = name.slice(0, -3);
      const file = join(folder, name);
      if (this.names.locales.includes(locale)) return [{ locale, file }];
      this.refuse(file, 0, `"${locale}" is no language of the site`);
      return [];
    });
  }

  /** A Markdown file, also where some of its fields are wrong; null when nothing of it can be read. */
  markdown<S extends z.ZodObject>(schema: S, file: string): MarkdownFile<S> | null {
    const bytes = this.bytes(file);
    if (bytes === null) return null;
    const read = readMarkdown(schema, bytes.toString('utf8'), file);
    if ('problems' in read) this.problems.push(...read.problems);
    return 'fields' in read ? read : null;
  }
}
