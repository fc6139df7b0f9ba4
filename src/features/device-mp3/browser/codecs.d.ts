/** Addresses of the codecs' files in the build; `vite.ts` says which files they are. */
declare module 'codec-faad2?url' {
  const address: string;
  export default address;
}
declare module 'codec-lame?url' {
  const address: string;
  export default address;
}
