/** In MB with one decimal. Source: part-2 §9. */
export const formatSize = (bytes: number | null): string =>
  bytes === null ? '–' : `${(bytes / 1024 ** 2).toFixed(1)} MB`
