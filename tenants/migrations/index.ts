import { initial } from './0001-initial.ts'

export const platformMigrations = [initial]
