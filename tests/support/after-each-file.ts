import { afterAll } from 'vitest';
import { endWhatIsLeft } from './processes.ts';

// The first hook runs last, after those of the file itself.
afterAll(endWhatIsLeft);
