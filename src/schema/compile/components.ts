/** What typia turns into data: the component schemas of the OpenAPI documents. */
import typia from "typia";
import type * as requests from "../../domain/requests.ts";
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
  ],
  "3.0"
>();
