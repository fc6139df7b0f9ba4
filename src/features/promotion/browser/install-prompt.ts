/** The event of browsers that can install a site (Web App Manifest, installation prompts). */
export interface InstallPrompt extends Event {
  /** Asks the visitor; once for each event. */
  prompt(): Promise<unknown>;
}

declare global {
  /** Kept by a script in the head (`layout.tsx`) until the visitor is asked in our words; absent once they were. */
  var earlyInstallPrompt: InstallPrompt | undefined;
}
