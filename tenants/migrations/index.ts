import { accounts } from './0001-accounts.ts'

export const houseMigrations = [accounts]
