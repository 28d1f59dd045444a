import type { PlanName } from '#tenants/accounts/plans.ts'

// docs/export-format.md describes these files to people.

export const exportFormat = 'practice-export'
/** An import takes files of this version alone. */
export const exportVersion = 1
export const manifestName = 'manifest.json'

export type Checksum = { bytes: number; sha256: string }

/** manifest.json, the last file that is written. */
export type ExportManifest = {
  format: typeof exportFormat
  version: number
  exportedAt: string
  practice: { name: string; email: string; subdomain: string | null; plan: PlanName }
  /** Checksums by name, in the installation that wrote it. */
  migrations: Record<string, string>
  /** Tables with the number of their rows, in the order in which an import takes them. */
  tables: { name: string; rows: number }[]
  /** Tables that an import ignores. */
  onlyToRead: { name: string; rows: number; reason: string }[]
  /** Tables that are not in it, or only partly, and why. */
  leftOut: { name: string; reason: string }[]
  /** The path of each stored file by its key, which is unique in the practice. */
  contents: Record<string, string>
  /** All other files of the archive, by path. */
  files: Record<string, Checksum>
}

export const dataPath = (table: string): string => `data/${table}.jsonl`
export const readingPath = (table: string): string => `reading/${table}.jsonl`
