import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const demoAccounts = [
  { which: 'first', label: 'Coach, Premium', email: 'demo@example.com', subdomain: 'stillwater' },
  { which: 'second', label: 'Coach, Pro', email: 'demo2@example.com', subdomain: 'northstar' },
  { which: 'admin', label: 'Administrator', email: 'admin@example.com', subdomain: null },
] as const
export type DemoName = (typeof demoAccounts)[number]['which']

/** `closed`: a start without the demo removed the account. `modules`: those that have filled its practice. */
export type DemoEntry = { password: string; id: number | null; closed: boolean; modules: string[] }
export type DemoState = Record<DemoName, DemoEntry>

export function createDemoState(): DemoState {
  const createEntry = (): DemoEntry => ({ password: createPassword(), id: null, closed: false, modules: [] })
  return { first: createEntry(), second: createEntry(), admin: createEntry() }
}

/** Null for an installation that never had a demo practice. */
export function readDemoState(dataDir: string): DemoState | null {
  const file = stateFile(dataDir)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoState) : null
}

export function writeDemoState(dataDir: string, state: DemoState): void {
  const file = stateFile(dataDir)
  // Rename when complete, so that an interrupted start leaves the old file.
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Lies beside the embedded database, the only one with a demo practice. */
const stateFile = (dataDir: string): string => path.join(dataDir, 'demo.json')

/** Without letters and digits that look alike. */
const passwordCharacters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Such as `k3vm-x8qa-p2rt`: 60 random bits. */
function createPassword(): string {
  const characters = Array.from(randomBytes(12), (byte) => passwordCharacters[byte % passwordCharacters.length])
  return characters.join('').replaceAll(/(.{4})(?!$)/g, '$1-')
}
