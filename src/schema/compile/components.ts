/** What typia turns into data: the component schemas of the OpenAPI documents. */
import typia from "typia";
import type * as ofPages from "../../domain/dashboard-requests.ts";
import type * as requests from "../../domain/requests.ts";
import type * as toPages from "../dashboard-responses.ts";
import type * as responses from "../responses.ts";

export const described = typia.json.schemas<
  [
    requests.CreateCodeBody,
    requests.UpdateCodeBody,
    requests.CreateProjectBody,
    requests.CreateAccountBody,
    requests.UpdateAccountBody,
    requests.CreateKeyBody,
    requests.UpdateProjectBody,
    responses.HealthAnswer,
    responses.ReadinessAnswer,
    responses.ErrorAnswer,
    responses.ProjectAnswer,
    responses.ProjectListAnswer,
    responses.NewCodeAnswer,
    responses.CodeAnswer,
    responses.CodeListAnswer,
    responses.AnalyticsTrendAnswer,
    responses.AnalyticsRankingAnswer,
    responses.AnalyticsHoursAnswer,
    responses.AccountAnswer,
    responses.AccountListAnswer,
    responses.KeyAnswer,
    responses.KeyCreatedAnswer,
    responses.KeyListAnswer,
    responses.AdminProjectAnswer,
    responses.AdminProjectListAnswer,
    responses.RescanAnswer,
    ofPages.SignInBody,
    ofPages.OneTimeLinkBody,
    ofPages.SetPasswordBody,
    ofPages.ChangePasswordBody,
    ofPages.CreateUserBody,
    ofPages.UpdateOwnAccountBody,
    ofPages.UpdateOwnProjectBody,
    ofPages.CreateContentBody,
    ofPages.VisitBody,
    toPages.UserAnswer,
    toPages.UserListAnswer,
    toPages.InvitedUserAnswer,
    toPages.SessionAnswer,
    toPages.SignedOutAnswer,
    toPages.OneTimeLinkAnswer,
    toPages.OwnKeyAnswer,
    toPages.OwnKeyListAnswer,
    toPages.OwnKeyCreatedAnswer,
    toPages.OwnCodeListAnswer,
    toPages.TopCodesAnswer,
    toPages.VisitAnswer,
  ],
  "3.0"
>();
