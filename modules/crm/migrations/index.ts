import { clients } from './0001-clients.ts'
import { imports } from './0002-imports.ts'

export const migrations = [clients, imports]
