import { accounts } from './0001-accounts.ts'
import { lastSignIn } from './0002-last-sign-in.ts'
import { history } from './0003-history.ts'

export const houseMigrations = [accounts, lastSignIn, history]
