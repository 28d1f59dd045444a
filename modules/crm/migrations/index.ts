import { clients } from './0001-clients.ts'

export const migrations = [clients]
