import { afterAll } from 'vitest';
import { closeAllPages } from './shared-browser.ts';

afterAll(closeAllPages);
