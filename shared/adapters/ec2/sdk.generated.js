// Made by `npm run ec2:sdk` (build-sdk.ts) from @aws-sdk/client-ec2 3.1169.0 (Apache-2.0, Copyright Amazon.com, Inc.).
// @aws-sdk/client-ec2/dist-es/EC2Client.js
import { getHostHeaderPlugin, getLoggerPlugin, getRecursionDetectionPlugin, getUserAgentPlugin, resolveHostHeaderConfig, resolveUserAgentConfig } from "@aws-sdk/core/client";
import { DefaultIdentityProviderConfig, getHttpAuthSchemeEndpointRuleSetPlugin, getHttpSigningPlugin } from "@smithy/core";
import { Client as __Client } from "@smithy/core/client";
import { resolveRegionConfig } from "@smithy/core/config";
import { resolveEndpointConfig } from "@smithy/core/endpoints";
import { getContentLengthPlugin } from "@smithy/core/protocols";
import { getRetryPlugin, resolveRetryConfig } from "@smithy/core/retry";
import { getSchemaSerdePlugin } from "@smithy/core/schema";

// @aws-sdk/client-ec2/dist-es/auth/httpAuthSchemeProvider.js
import { resolveAwsSdkSigV4Config } from "@aws-sdk/core/httpAuthSchemes";
import { getSmithyContext, normalizeProvider } from "@smithy/core/client";
var defaultEC2HttpAuthSchemeParametersProvider = async (config, context, input) => {
  return {
    operation: getSmithyContext(context).operation,
    region: await normalizeProvider(config.region)() || (() => {
      throw new Error("expected `region` to be configured for `aws.auth#sigv4`");
    })()
  };
};
function createAwsAuthSigv4HttpAuthOption(authParameters) {
  return {
    schemeId: "aws.auth#sigv4",
    signingProperties: {
      name: "ec2",
      region: authParameters.region
    },
    propertiesExtractor: (config, context) => ({
      signingProperties: {
        config,
        context
      }
    })
  };
}
var defaultEC2HttpAuthSchemeProvider = (authParameters) => {
  const options = [];
  switch (authParameters.operation) {
    default: {
      options.push(createAwsAuthSigv4HttpAuthOption(authParameters));
    }
  }
  return options;
};
var resolveHttpAuthSchemeConfig = (config) => {
  const config_0 = resolveAwsSdkSigV4Config(config);
  return Object.assign(config_0, {
    authSchemePreference: normalizeProvider(config.authSchemePreference ?? [])
  });
};

// @aws-sdk/client-ec2/dist-es/endpoint/EndpointParameters.js
var resolveClientEndpointParameters = (options) => {
  return Object.assign(options, {
    useDualstackEndpoint: options.useDualstackEndpoint ?? false,
    useFipsEndpoint: options.useFipsEndpoint ?? false,
    defaultSigningName: "ec2"
  });
};
var commonParams = {
  UseFIPS: { type: "builtInParams", name: "useFipsEndpoint" },
  Endpoint: { type: "builtInParams", name: "endpoint" },
  Region: { type: "builtInParams", name: "region" },
  UseDualStack: { type: "builtInParams", name: "useDualstackEndpoint" }
};

// @aws-sdk/client-ec2/package.json
var package_default = { version: "3.1169.0" };

// @aws-sdk/client-ec2/dist-es/runtimeConfig.js
import { createDefaultUserAgentProvider, emitWarningIfUnsupportedVersion as awsCheckVersion, getDefaultSocketTimeout, NODE_APP_ID_CONFIG_OPTIONS } from "@aws-sdk/core/client";
import { NODE_AUTH_SCHEME_PREFERENCE_OPTIONS } from "@aws-sdk/core/httpAuthSchemes";
import { defaultProvider as credentialDefaultProvider } from "@aws-sdk/credential-provider-node";
import { emitWarningIfUnsupportedVersion, loadConfigsForDefaultMode } from "@smithy/core/client";
import { loadConfig as loadNodeConfig, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS, NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS, NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS, resolveDefaultsModeConfig } from "@smithy/core/config";
import { DEFAULT_RETRY_MODE, NODE_MAX_ATTEMPT_CONFIG_OPTIONS, NODE_RETRY_MODE_CONFIG_OPTIONS } from "@smithy/core/retry";
import { calculateBodyLength } from "@smithy/core/serde";
import { NodeHttpHandler as RequestHandler, streamCollector } from "@smithy/node-http-handler";

// @aws-sdk/client-ec2/dist-es/runtimeConfig.shared.js
import { AwsSdkSigV4Signer } from "@aws-sdk/core/httpAuthSchemes";
import { AwsEc2QueryProtocol } from "@aws-sdk/core/protocols";
import { Sha256 } from "@smithy/core/checksum";
import { NoOpLogger } from "@smithy/core/client";
import { parseUrl } from "@smithy/core/protocols";
import { fromBase64, fromUtf8, toBase64, toUtf8 } from "@smithy/core/serde";

// @aws-sdk/client-ec2/dist-es/endpoint/endpointResolver.js
import { awsEndpointFunctions } from "@aws-sdk/core/client";
import { customEndpointFunctions, decideEndpoint, EndpointCache } from "@smithy/core/endpoints";

// @aws-sdk/client-ec2/dist-es/endpoint/bdd.js
import { BinaryDecisionDiagram } from "@smithy/core/endpoints";
var k = "ref";
var a = -1;
var b = true;
var c = "isSet";
var d = "PartitionResult";
var e = "booleanEquals";
var f = "getAttr";
var g = { [k]: "Endpoint" };
var h = { [k]: d };
var i = {};
var j = [{ [k]: "Region" }];
var _data = {
  conditions: [
    [c, [g]],
    [c, j],
    ["aws.partition", j, d],
    [e, [{ [k]: "UseFIPS" }, b]],
    [e, [{ [k]: "UseDualStack" }, b]],
    [e, [{ fn: f, argv: [h, "supportsDualStack"] }, b]],
    [e, [{ fn: f, argv: [h, "supportsFIPS"] }, b]],
    ["stringEquals", [{ fn: f, argv: [h, "name"] }, "aws-us-gov"]]
  ],
  results: [
    [a],
    [a, "Invalid Configuration: FIPS and custom endpoint are not supported"],
    [a, "Invalid Configuration: Dualstack and custom endpoint are not supported"],
    [g, i],
    ["https://ec2-fips.{Region}.{PartitionResult#dualStackDnsSuffix}", i],
    [a, "FIPS and DualStack are enabled, but this partition does not support one or both"],
    ["https://ec2.{Region}.amazonaws.com", i],
    ["https://ec2-fips.{Region}.{PartitionResult#dnsSuffix}", i],
    [a, "FIPS is enabled but this partition does not support FIPS"],
    ["https://ec2.{Region}.{PartitionResult#dualStackDnsSuffix}", i],
    [a, "DualStack is enabled but this partition does not support DualStack"],
    ["https://ec2.{Region}.{PartitionResult#dnsSuffix}", i],
    [a, "Invalid Configuration: Missing Region"]
  ]
};
var root = 2;
var r = 1e8;
var nodes = new Int32Array([
  -1,
  1,
  -1,
  0,
  13,
  3,
  1,
  4,
  r + 12,
  2,
  5,
  r + 12,
  3,
  8,
  6,
  4,
  7,
  r + 11,
  5,
  r + 9,
  r + 10,
  4,
  11,
  9,
  6,
  10,
  r + 8,
  7,
  r + 6,
  r + 7,
  5,
  12,
  r + 5,
  6,
  r + 4,
  r + 5,
  3,
  r + 1,
  14,
  4,
  r + 2,
  r + 3
]);
var bdd = BinaryDecisionDiagram.from(nodes, root, _data.conditions, _data.results);

// @aws-sdk/client-ec2/dist-es/endpoint/endpointResolver.js
var cache = new EndpointCache({
  size: 50,
  params: ["Endpoint", "Region", "UseDualStack", "UseFIPS"]
});
var defaultEndpointResolver = (endpointParams, context = {}) => {
  return cache.get(endpointParams, () => decideEndpoint(bdd, {
    endpointParams,
    logger: context.logger
  }));
};
customEndpointFunctions.aws = awsEndpointFunctions;

// @aws-sdk/client-ec2/dist-es/schemas/schemas_0.js
import { TypeRegistry } from "@smithy/core/schema";

// @aws-sdk/client-ec2/dist-es/models/EC2ServiceException.js
import { ServiceException as __ServiceException } from "@smithy/core/client";
var EC2ServiceException = class _EC2ServiceException extends __ServiceException {
  static shapeId = "smithy.ts.sdk.synthetic.com.amazonaws.ec2#EC2ServiceException";
  constructor(options) {
    super(options);
    Object.setPrototypeOf(this, _EC2ServiceException.prototype);
  }
};

// @aws-sdk/client-ec2/dist-es/schemas/schemas_0.js
var _AAZ = "AllAvailabilityZones";
var _AC = "AcceleratorCount";
var _ACIA = "AssociateCarrierIpAddress";
var _ACR = "AcceleratorCountRequest";
var _AFNI = "AdditionalFlexibleNetworkInterfaces";
var _AHR = "AllocateHostsRequest";
var _AIAC = "AvailableIpAddressCount";
var _AIAOC = "AssignIpv6AddressOnCreation";
var _AIT = "AllowedInstanceTypes";
var _AITS = "AllowedInstanceTypeSet";
var _AITl = "AllowedInstanceType";
var _AIs = "AssociationId";
var _AIss = "AssetIds";
var _AIsse = "AssetId";
var _AItt = "AttachmentId";
var _ALI = "AmiLaunchIndex";
var _ALT = "AttachmentLimitType";
var _AMAI = "AddMiddleboxAttachmentIds";
var _AMAId = "AddMiddleboxAttachmentId";
var _AMSc = "AcceleratorManufacturerSet";
var _AMc = "AcceleratorManufacturers";
var _AMcc = "AcceleratorManufacturer";
var _ANSc = "AcceleratorNameSet";
var _ANcc = "AcceleratorNames";
var _ANcce = "AcceleratorName";
var _APIAss = "AssociatePublicIpAddress";
var _APu = "AutoPlacement";
var _ARS = "AutoRecoverySupported";
var _ARss = "AssociatedResource";
var _ARuto = "AutoRecovery";
var _ASSm = "AmdSevSnp";
var _ASl = "AllocationStrategy";
var _ATLr = "ArchitectureTypeList";
var _ATMMB = "AcceleratorTotalMemoryMiB";
var _ATMMBR = "AcceleratorTotalMemoryMiBRequest";
var _ATSc = "AcceleratorTypeSet";
var _ATSr = "ArchitectureTypeSet";
var _ATc = "AcceleratorTypes";
var _ATcc = "AcceleratorType";
var _ATr = "ArchitectureTypes";
var _ATrc = "ArchitectureType";
var _ATtt = "AttachTime";
var _AZ = "AvailabilityZone";
var _AZG = "AvailabilityZoneGeography";
var _AZGL = "AvailabilityZoneGeographyList";
var _AZI = "AvailabilityZoneId";
var _AZL = "AvailabilityZoneList";
var _AZM = "AvailabilityZoneMessage";
var _AZML = "AvailabilityZoneMessageList";
var _AZSG = "AvailabilityZoneSubGeography";
var _AZSGL = "AvailabilityZoneSubGeographyList";
var _AZv = "AvailabilityZones";
var _Acc = "Accelerators";
var _Af = "Affinity";
var _Ar = "Arn";
var _Arc = "Architecture";
var _Ass = "Association";
var _Att = "Attachment";
var _BBIG = "BaselineBandwidthInGbps";
var _BBIM = "BaselineBandwidthInMbps";
var _BDM = "BlockDeviceMapping";
var _BDML = "BlockDeviceMappingList";
var _BDMR = "BlockDeviceMappingResponse";
var _BDMRLl = "BlockDeviceMappingResponseList";
var _BDMl = "BlockDeviceMappings";
var _BDMlo = "BlockDurationMinutes";
var _BEBM = "BaselineEbsBandwidthMbps";
var _BEBMR = "BaselineEbsBandwidthMbpsRequest";
var _BIa = "BaselineIops";
var _BM = "BootMode";
var _BMTL = "BootModeTypeList";
var _BMa = "BareMetal";
var _BP = "BurstablePerformance";
var _BPAS = "BlockPublicAccessStates";
var _BPF = "BaselinePerformanceFactors";
var _BPFR = "BaselinePerformanceFactorsRequest";
var _BPS = "BurstablePerformanceSupported";
var _BTIMB = "BaselineThroughputInMBps";
var _BW = "BandwidthWeighting";
var _BWTL = "BandwidthWeightingTypeList";
var _BWa = "BandwidthWeightings";
var _CB = "CidrBlock";
var _CBI = "CapacityBlockId";
var _CBr = "CreatedBy";
var _CCL = "CoreCountList";
var _CCor = "CoreCount";
var _CCp = "CpuCredits";
var _CDr = "CreationDate";
var _CFAS = "CriticalFixAvailableSince";
var _CFE = "CreateFleetError";
var _CFES = "CreateFleetErrorsSet";
var _CFI = "CreateFleetInstance";
var _CFIS = "CreateFleetInstancesSet";
var _CFR = "CreateFleetRequest";
var _CFRr = "CreateFleetResult";
var _CFr = "CreateFleet";
var _CGI = "CarrierGatewayId";
var _CGIa = "CarrierGatewayIds";
var _CGur = "CurrentGeneration";
var _CI = "CarrierIp";
var _CIBM = "CurrentInstanceBootMode";
var _CIi = "CidrIp";
var _CIid = "CidrIpv6";
var _CIor = "CoreInfo";
var _CLT = "CreateLaunchTemplate";
var _CLTR = "CreateLaunchTemplateRequest";
var _CLTRr = "CreateLaunchTemplateResult";
var _CM = "CpuManufacturers";
var _CMSp = "CpuManufacturerSet";
var _CMp = "CpuManufacturer";
var _CO = "CpuOptions";
var _COI = "CustomerOwnedIp";
var _COIP = "CustomerOwnedIpv4Pool";
var _CPF = "CpuPerformanceFactor";
var _CPFR = "CpuPerformanceFactorRequest";
var _CRI = "CapacityReservationId";
var _CRIS = "CapacityReservationIdSet";
var _CRIa = "CapacityReservationIds";
var _CRO = "CapacityReservationOptions";
var _CROR = "CapacityReservationOptionsRequest";
var _CRP = "CapacityReservationPreference";
var _CRRGA = "CapacityReservationResourceGroupArn";
var _CRRGAS = "CapacityReservationResourceGroupArnSet";
var _CRRGAa = "CapacityReservationResourceGroupArns";
var _CRSR = "CapacityReservationSpecificationResponse";
var _CRSa = "CapacityReservationSpecification";
var _CRT = "CapacityReservationTarget";
var _CRTR = "CapacityReservationTargetResponse";
var _CRapa = "CapacityRebalance";
var _CSRred = "CreditSpecificationRequest";
var _CSr = "CreditSpecification";
var _CSu = "CurrentState";
var _CT = "ClientToken";
var _CTC = "ConnectionTrackingConfiguration";
var _CTGMPR = "CreateTransitGatewayMeteringPolicyRequest";
var _CTR = "CreateTagsRequest";
var _CTS = "ConnectionTrackingSpecification";
var _CTSR = "ConnectionTrackingSpecificationRequest";
var _CTSRo = "ConnectionTrackingSpecificationResponse";
var _CTre = "CreateTime";
var _CTreat = "CreateTags";
var _Co = "Code";
var _Con = "Context";
var _Conf = "Configured";
var _Cou = "Count";
var _Cp = "Cpu";
var _DASi = "DisableApiStop";
var _DAT = "DisableApiTermination";
var _DAZR = "DescribeAvailabilityZonesRequest";
var _DAZRe = "DescribeAvailabilityZonesResult";
var _DAZe = "DescribeAvailabilityZones";
var _DCB = "DestinationCidrBlock";
var _DCGRes = "DescribeCarrierGatewaysRequest";
var _DCTC = "DefaultConnectionTrackingConfiguration";
var _DCef = "DefaultCores";
var _DEQCPI = "DefaultEnaQueueCountPerInterface";
var _DFA = "DefaultForAz";
var _DFR = "DeleteFleetsRequest";
var _DFRes = "DescribeFleetsRequest";
var _DHS = "DedicatedHostsSupported";
var _DI = "DeviceIndex";
var _DILi = "DiskInfoList";
var _DIRR = "DescribeImageReferencesRequest";
var _DIRes = "DescribeImagesRequest";
var _DIResc = "DescribeImagesResult";
var _DIRescr = "DescribeInstancesRequest";
var _DIRescri = "DescribeInstancesResult";
var _DITO = "DescribeInstanceTypeOfferings";
var _DITOR = "DescribeInstanceTypeOfferingsRequest";
var _DITORe = "DescribeInstanceTypeOfferingsResult";
var _DITR = "DescribeInstanceTopologyRequest";
var _DITRes = "DescribeInstanceTypesRequest";
var _DITResc = "DescribeInstanceTypesResult";
var _DITe = "DescribeInstanceTypes";
var _DIURER = "DescribeImageUsageReportEntriesRequest";
var _DIURRes = "DescribeImageUsageReportsRequest";
var _DIes = "DescribeImages";
var _DIesc = "DescribeInstances";
var _DIisk = "DiskInfo";
var _DN = "DeviceName";
var _DNCI = "DefaultNetworkCardIndex";
var _DNIPRescr = "DescribeNetworkInterfacePermissionsRequest";
var _DOT = "DeleteOnTermination";
var _DPGRe = "DescribePlacementGroupsRequest";
var _DPRe = "DestinationPortRange";
var _DPer = "DeregistrationProtection";
var _DR = "DryRun";
var _DRIOR = "DescribeReservedInstancesOfferingsRequest";
var _DRSERes = "DescribeRouteServerEndpointsRequest";
var _DRSPRes = "DescribeRouteServerPeersRequest";
var _DRSRes = "DescribeRouteServersRequest";
var _DSGRes = "DescribeSecurityGroupsRequest";
var _DSGResc = "DescribeSecurityGroupsResult";
var _DSGe = "DescribeSecurityGroups";
var _DSPH = "DescribeSpotPriceHistory";
var _DSPHR = "DescribeSpotPriceHistoryRequest";
var _DSPHRe = "DescribeSpotPriceHistoryResult";
var _DSRes = "DescribeSnapshotsRequest";
var _DSRescr = "DescribeSubnetsRequest";
var _DSRescri = "DescribeSubnetsResult";
var _DSesc = "DescribeSubnets";
var _DTCT = "DefaultTargetCapacityType";
var _DTET = "DefaultTcpEstablishedTimeout";
var _DTGAR = "DescribeTransitGatewayAttachmentsRequest";
var _DTGCRes = "DescribeTransitGatewayConnectsRequest";
var _DTGPARes = "DescribeTransitGatewayPeeringAttachmentsRequest";
var _DTGVARes = "DescribeTransitGatewayVpcAttachmentsRequest";
var _DTPC = "DefaultThreadsPerCore";
var _DTR = "DeleteTagsRequest";
var _DTe = "DeprecationTime";
var _DUST = "DefaultUdpStreamTimeout";
var _DUT = "DefaultUdpTimeout";
var _DVC = "DefaultVCpus";
var _DVN = "DefaultVersionNumber";
var _De = "Description";
var _Dis = "Disks";
var _EBD = "EbsBlockDevice";
var _EBDR = "EbsBlockDeviceResponse";
var _EBSL = "ExecutableByStringList";
var _EBx = "ExecutableBy";
var _EC = "ErrorCode";
var _ECI = "EbsCardIndex";
var _ECIL = "EbsCardInfoList";
var _ECIb = "EbsCardInfo";
var _ECTP = "ExcessCapacityTerminationPolicy";
var _ECb = "EbsCards";
var _EDn = "EnableDns64";
var _EGA = "ElasticGpuAssociation";
var _EGAI = "ElasticGpuAssociationId";
var _EGAL = "ElasticGpuAssociationList";
var _EGAS = "ElasticGpuAssociationState";
var _EGAT = "ElasticGpuAssociationTime";
var _EGAl = "ElasticGpuAssociations";
var _EGIl = "ElasticGpuId";
var _EGSL = "ElasticGpuSpecificationList";
var _EGSla = "ElasticGpuSpecification";
var _EGSlas = "ElasticGpuSpecifications";
var _EIA = "ElasticInferenceAccelerator";
var _EIAA = "ElasticInferenceAcceleratorAssociation";
var _EIAAI = "ElasticInferenceAcceleratorAssociationId";
var _EIAAL = "ElasticInferenceAcceleratorAssociationList";
var _EIAAS = "ElasticInferenceAcceleratorAssociationState";
var _EIAAT = "ElasticInferenceAcceleratorAssociationTime";
var _EIAAl = "ElasticInferenceAcceleratorArn";
var _EIAAla = "ElasticInferenceAcceleratorAssociations";
var _EIAl = "ElasticInferenceAccelerators";
var _EIBD = "EbsInstanceBlockDevice";
var _EITS = "EncryptionInTransitSupported";
var _EITSx = "ExcludedInstanceTypeSet";
var _EITxc = "ExcludedInstanceTypes";
var _EITxcl = "ExcludedInstanceType";
var _EIb = "EbsInfo";
var _EIf = "EfaInfo";
var _ELADI = "EnableLniAtDeviceIndex";
var _EM = "ErrorMessage";
var _EO = "EbsOptimized";
var _EOI = "EbsOptimizedInfo";
var _EOS = "EbsOptimizedSupport";
var _EOn = "EnclaveOptions";
var _EQC = "EnaQueueCount";
var _ERNDAAAAR = "EnableResourceNameDnsAAAARecord";
var _ERNDAR = "EnableResourceNameDnsARecord";
var _ESE = "EnaSrdEnabled";
var _ESS = "EnaSrdSpecification";
var _ESSR = "EnaSrdSpecificationRequest";
var _ESSn = "EnaSrdSupported";
var _ESUE = "EnaSrdUdpEnabled";
var _ESUS = "EnaSrdUdpSpecification";
var _ESUSR = "EnaSrdUdpSpecificationRequest";
var _ESf = "EfaSupported";
var _ESn = "EncryptionSupport";
var _ESna = "EnaSupport";
var _ESr = "ErrorSet";
var _ETnd = "EndTime";
var _EU = "ExecutableUsers";
var _Eb = "Ebs";
var _En = "Enabled";
var _Enc = "Encrypted";
var _Err = "Errors";
var _F = "Force";
var _FBDMR = "FleetBlockDeviceMappingRequest";
var _FBDMRL = "FleetBlockDeviceMappingRequestList";
var _FCRTR = "FleetCapacityReservationTargetRequest";
var _FDI = "FpgaDeviceInfo";
var _FDIL = "FpgaDeviceInfoList";
var _FDMI = "FpgaDeviceMemoryInfo";
var _FEBDR = "FleetEbsBlockDeviceRequest";
var _FEQS = "FlexibleEnaQueuesSupport";
var _FIIPSR = "FleetIamInstanceProfileSpecificationRequest";
var _FIMOR = "FleetInstanceMetadataOptionsRequest";
var _FIl = "FleetId";
var _FIle = "FleetIds";
var _FIpga = "FpgaInfo";
var _FLTCLR = "FleetLaunchTemplateConfigListRequest";
var _FLTCR = "FleetLaunchTemplateConfigRequest";
var _FLTO = "FleetLaunchTemplateOverrides";
var _FLTOLR = "FleetLaunchTemplateOverridesListRequest";
var _FLTOR = "FleetLaunchTemplateOverridesRequest";
var _FLTS = "FleetLaunchTemplateSpecification";
var _FLTSR = "FleetLaunchTemplateSpecificationRequest";
var _FLi = "FilterList";
var _FP = "FromPort";
var _FSCRR = "FleetSpotCapacityRebalanceRequest";
var _FSD = "FindingScanDate";
var _FSMSR = "FleetSpotMaintenanceStrategiesRequest";
var _FTE = "FreeTierEligible";
var _Fi = "Filters";
var _Fil = "Filter";
var _Fp = "Fpgas";
var _G = "Groups";
var _GDI = "GpuDeviceInfo";
var _GDIL = "GpuDeviceInfoList";
var _GDMI = "GpuDeviceMemoryInfo";
var _GIL = "GroupIdentifierList";
var _GISL = "GroupIdStringList";
var _GIp = "GpuInfo";
var _GIr = "GroupId";
var _GIro = "GroupIds";
var _GIrou = "GroupIdentifier";
var _GLN = "GroupLongName";
var _GN = "GroupName";
var _GNSL = "GroupNameStringList";
var _GNr = "GroupNames";
var _GPS = "GpuPartitionSize";
var _GSPSR = "GetSpotPlacementScoresRequest";
var _Ge = "Geography";
var _Gp = "Gpus";
var _HBD = "HiddenByDefault";
var _HCOR = "HostCpuOptionsRequest";
var _HE = "HttpEndpoint";
var _HFAS = "HighFixAvailableSince";
var _HFSL = "HighestFindingSeverityLabel";
var _HIo = "HostId";
var _HM = "HostMaintenance";
var _HO = "HibernationOptions";
var _HPI = "HttpProtocolIpv6";
var _HPRHL = "HttpPutResponseHopLimit";
var _HR = "HostRecovery";
var _HRGA = "HostResourceGroupArn";
var _HS = "HibernationSupported";
var _HT = "HttpTokens";
var _HTo = "HostnameType";
var _Hy = "Hypervisor";
var _I = "Id";
var _IA = "Ipv6Addresses";
var _IAA = "Ipv6AddressAttribute";
var _IAC = "Ipv6AddressCount";
var _IAESS = "InstanceAttachmentEnaSrdSpecification";
var _IAESUS = "InstanceAttachmentEnaSrdUdpSpecification";
var _IAIn = "InferenceAcceleratorInfo";
var _IAPI = "Ipv4AddressesPerInterface";
var _IAPIp = "Ipv6AddressesPerInterface";
var _IAPSI = "Ipv4AddressesPerSecondaryInterface";
var _IART = "IncludeAllResourceTypes";
var _IAm = "ImageAllowed";
var _IApv = "Ipv6Address";
var _IBDM = "InstanceBlockDeviceMapping";
var _IBDML = "InstanceBlockDeviceMappingList";
var _ICB = "Ipv6CidrBlock";
var _ICBAS = "Ipv6CidrBlockAssociationSet";
var _ICBS = "Ipv6CidrBlockState";
var _ID = "IncludeDeprecated";
var _IDI = "InferenceDeviceInfo";
var _IDIL = "InferenceDeviceInfoList";
var _IDMI = "InferenceDeviceMemoryInfo";
var _IDn = "IncludeDisabled";
var _IF = "InstanceFamily";
var _IFAS = "InformationalFixAvailableSince";
var _IGBM = "InternetGatewayBlockMode";
var _IGS = "InstanceGenerationSet";
var _IGns = "InstanceGenerations";
var _IGnst = "InstanceGeneration";
var _II = "InstanceId";
var _IIA = "InstanceIpv6Address";
var _IIAL = "InstanceIpv6AddressList";
var _IIALR = "InstanceIpv6AddressListRequest";
var _IIAR = "InstanceIpv6AddressRequest";
var _IIB = "InstanceInterruptionBehavior";
var _IIP = "IamInstanceProfile";
var _IIPL = "InstanceIpv4PrefixList";
var _IIPLn = "InstanceIpv6PrefixList";
var _IIPn = "InstanceIpv4Prefix";
var _IIPns = "InstanceIpv6Prefix";
var _IISB = "InstanceInitiatedShutdownBehavior";
var _IISL = "ImageIdStringList";
var _IISLn = "InstanceIdStringList";
var _IISn = "InstanceIdsSet";
var _IIm = "ImageId";
var _IIma = "ImageIds";
var _IIn = "InstanceIds";
var _IL = "ImageLocation";
var _ILZ = "IncludeLocalZones";
var _ILm = "ImageList";
var _ILn = "InstanceLifecycle";
var _ILns = "InstanceList";
var _IM = "IncludeMarketplace";
var _IMO = "InstanceMaintenanceOptions";
var _IMORnst = "InstanceMetadataOptionsResponse";
var _IMOns = "InstanceMarketOptions";
var _IMR = "IncludeManagedResources";
var _IMT = "InstanceMetadataTags";
var _IN = "Ipv6Native";
var _INI = "InstanceNetworkInterface";
var _INIA = "InstanceNetworkInterfaceAssociation";
var _INIAn = "InstanceNetworkInterfaceAttachment";
var _INIL = "InstanceNetworkInterfaceList";
var _INIS = "InstanceNetworkInterfaceSpecification";
var _INPO = "InstanceNetworkPerformanceOptions";
var _IOA = "ImageOwnerAlias";
var _IOI = "IpOwnerId";
var _IPC = "Ipv6PrefixCount";
var _IPCp = "Ipv4PrefixCount";
var _IPEp = "IpPermissionsEgress";
var _IPIA = "InstancePrivateIpAddress";
var _IPIAL = "InstancePrivateIpAddressList";
var _IPIs = "IsPrimaryIpv6";
var _IPLp = "IpPermissionList";
var _IPLpvr = "Ipv4PrefixList";
var _IPLpvref = "Ipv6PrefixList";
var _IPSRp = "Ipv4PrefixSpecificationRequest";
var _IPSRpvr = "Ipv6PrefixSpecificationRequest";
var _IPTUC = "InstancePoolsToUseCount";
var _IPp = "Ipv6Prefixes";
var _IPpe = "IpPermissions";
var _IPper = "IpPermission";
var _IPpr = "IpProtocol";
var _IPpv = "Ipv6Prefix";
var _IPpvr = "Ipv4Prefixes";
var _IPpvre = "Ipv4Prefix";
var _IR = "InstanceRequirements";
var _IRLp = "IpRangeList";
var _IRLpv = "Ipv6RangeList";
var _IRR = "InstanceRequirementsRequest";
var _IRWM = "InstanceRequirementsWithMetadata";
var _IRWMR = "InstanceRequirementsWithMetadataRequest";
var _IRpa = "IpRanges";
var _IRpan = "IpRange";
var _IRpv = "Ipv6Ranges";
var _IRpva = "Ipv6Range";
var _ISC = "InstanceStateChange";
var _ISCL = "InstanceStateChangeList";
var _ISIA = "InstanceSecondaryInterfaceAttachment";
var _ISIL = "InstanceSecondaryInterfaceList";
var _ISIPIA = "InstanceSecondaryInterfacePrivateIpAddress";
var _ISIPIAL = "InstanceSecondaryInterfacePrivateIpAddressList";
var _ISIS = "InstanceSecondaryInterfaceSpecification";
var _ISIn = "InstanceSecondaryInterface";
var _ISIns = "InstanceStorageInfo";
var _ISSn = "InstanceStorageSupported";
var _ISmd = "ImdsSupport";
var _ISnsta = "InstanceState";
var _ISpo = "IpSource";
var _ISpvu = "Ipv6Supported";
var _IT = "InstanceType";
var _ITILn = "InstanceTypeInfoList";
var _ITIn = "InstanceTypeInfo";
var _ITIns = "InstanceTypeItem";
var _ITO = "InstanceTypeOfferings";
var _ITOL = "InstanceTypeOfferingsList";
var _ITOn = "InstanceTypeOffering";
var _ITSn = "InstanceTypeSpecification";
var _ITm = "ImageType";
var _ITns = "InstanceTenancy";
var _ITnst = "InstanceTypes";
var _ITnt = "InterfaceType";
var _ITnte = "InterfaceTypes";
var _IUIR = "IncludeUnsupportedInRegion";
var _IW = "ImageWatermarks";
var _IWL = "ImageWatermarkList";
var _IWm = "ImageWatermark";
var _Im = "Images";
var _Ima = "Image";
var _In = "Instance";
var _Ins = "Instances";
var _Io = "Iops";
var _K = "Key";
var _KI = "KernelId";
var _KKI = "KmsKeyId";
var _KN = "KeyName";
var _LCA = "LicenseConfigurationArn";
var _LCi = "LicenseConfiguration";
var _LFAS = "LowFixAvailableSince";
var _LGC = "LogicalGpuCount";
var _LL = "LicenseList";
var _LLT = "LastLaunchedTime";
var _LST = "LocalStorageTypes";
var _LSTS = "LocalStorageTypeSet";
var _LSTo = "LocalStorageType";
var _LSi = "LicenseSpecifications";
var _LSic = "LicenseSpecification";
var _LSo = "LocalStorage";
var _LT = "LaunchTemplate";
var _LTAO = "LaunchTemplateAndOverrides";
var _LTAOR = "LaunchTemplateAndOverridesResponse";
var _LTBDMR = "LaunchTemplateBlockDeviceMappingRequest";
var _LTBDMRL = "LaunchTemplateBlockDeviceMappingRequestList";
var _LTC = "LaunchTemplateConfigs";
var _LTCOR = "LaunchTemplateCpuOptionsRequest";
var _LTCRSR = "LaunchTemplateCapacityReservationSpecificationRequest";
var _LTD = "LaunchTemplateData";
var _LTEBDR = "LaunchTemplateEbsBlockDeviceRequest";
var _LTEIA = "LaunchTemplateElasticInferenceAccelerator";
var _LTEIAL = "LaunchTemplateElasticInferenceAcceleratorList";
var _LTEOR = "LaunchTemplateEnclaveOptionsRequest";
var _LTHOR = "LaunchTemplateHibernationOptionsRequest";
var _LTI = "LaunchTemplateId";
var _LTIIPSR = "LaunchTemplateIamInstanceProfileSpecificationRequest";
var _LTIMOR = "LaunchTemplateInstanceMaintenanceOptionsRequest";
var _LTIMORa = "LaunchTemplateInstanceMarketOptionsRequest";
var _LTIMORau = "LaunchTemplateInstanceMetadataOptionsRequest";
var _LTINISR = "LaunchTemplateInstanceNetworkInterfaceSpecificationRequest";
var _LTINISRL = "LaunchTemplateInstanceNetworkInterfaceSpecificationRequestList";
var _LTISISR = "LaunchTemplateInstanceSecondaryInterfaceSpecificationRequest";
var _LTISISRL = "LaunchTemplateInstanceSecondaryInterfaceSpecificationRequestList";
var _LTLCR = "LaunchTemplateLicenseConfigurationRequest";
var _LTLSLR = "LaunchTemplateLicenseSpecificationListRequest";
var _LTMR = "LaunchTemplatesMonitoringRequest";
var _LTN = "LaunchTemplateName";
var _LTNPOR = "LaunchTemplateNetworkPerformanceOptionsRequest";
var _LTPDNOR = "LaunchTemplatePrivateDnsNameOptionsRequest";
var _LTPR = "LaunchTemplatePlacementRequest";
var _LTS = "LaunchTemplateSpecification";
var _LTSMOR = "LaunchTemplateSpotMarketOptionsRequest";
var _LTSUD = "LaunchTemplateSpecificationUserData";
var _LTTSR = "LaunchTemplateTagSpecificationRequest";
var _LTTSRL = "LaunchTemplateTagSpecificationRequestList";
var _LTau = "LaunchTime";
var _LTo = "LocationType";
var _LVN = "LatestVersionNumber";
var _Li = "Lifecycle";
var _Lic = "Licenses";
var _Loc = "Location";
var _M = "Min";
var _MAIe = "MediaAcceleratorInfo";
var _MAIi = "MiddleboxAttachmentIds";
var _MAIid = "MiddleboxAttachmentId";
var _MAa = "MacAddress";
var _MBIM = "MaximumBandwidthInMbps";
var _MCI = "MetricCategoryId";
var _MCIL = "MetricCategoryIdList";
var _MCIe = "MetricCategoryIds";
var _MCOIOL = "MapCustomerOwnedIpOnLaunch";
var _MD = "MaxDuration";
var _MDI = "MediaDeviceInfo";
var _MDIL = "MediaDeviceInfoList";
var _MDMI = "MediaDeviceMemoryInfo";
var _MDi = "MinDuration";
var _MEA = "MaximumEbsAttachments";
var _MEC = "MaximumEbsCards";
var _MEI = "MaximumEfaInterfaces";
var _MEQC = "MaximumEnaQueueCount";
var _MEQCPI = "MaximumEnaQueueCountPerInterface";
var _MFAS = "MediumFixAvailableSince";
var _MGBPVC = "MemoryGiBPerVCpu";
var _MGBPVCR = "MemoryGiBPerVCpuRequest";
var _MI = "MaximumIops";
var _MIC = "MaxInstanceCount";
var _MIe = "MemoryInfo";
var _MMB = "MemoryMiB";
var _MMBR = "MemoryMiBRequest";
var _MNC = "MaximumNetworkCards";
var _MNI = "MaximumNetworkInterfaces";
var _MO = "MetadataOptions";
var _MOa = "MaintenanceOptions";
var _MPIOL = "MapPublicIpOnLaunch";
var _MPax = "MaxPrice";
var _MR = "MaxResults";
var _MSNI = "MaximumSecondaryNetworkInterfaces";
var _MSPAPOOODP = "MaxSpotPriceAsPercentageOfOptimalOnDemandPrice";
var _MSa = "MaintenanceStrategies";
var _MTC = "MinTargetCapacity";
var _MTGMPR = "ModifyTransitGatewayMeteringPolicyRequest";
var _MTIMB = "MaximumThroughputInMBps";
var _MTMFRR = "ModifyTrafficMirrorFilterRuleRequest";
var _MTMSR = "ModifyTrafficMirrorSessionRequest";
var _MTP = "MaxTotalPrice";
var _MTa = "MarketType";
var _MTar = "MarketTypes";
var _Ma = "Max";
var _Man = "Manufacturer";
var _Mana = "Managed";
var _Me = "Message";
var _Mes = "Messages";
var _Mon = "Monitoring";
var _N = "Name";
var _NBG = "NetworkBorderGroup";
var _NBGR = "NetworkBandwidthGbpsRequest";
var _NBGe = "NetworkBandwidthGbps";
var _NC = "NetworkCards";
var _NCI = "NetworkCardIndex";
var _NCIL = "NetworkCardInfoList";
var _NCITL = "NetworkCardInterfaceTypeList";
var _NCIe = "NetworkCardInfo";
var _ND = "NoDevice";
var _NDCI = "NeuronDeviceCoreInfo";
var _NDI = "NeuronDeviceInfo";
var _NDIL = "NeuronDeviceInfoList";
var _NDMI = "NeuronDeviceMemoryInfo";
var _NDe = "NeuronDevices";
var _NES = "NitroEnclavesSupport";
var _NIC = "NetworkInterfaceCount";
var _NICR = "NetworkInterfaceCountRequest";
var _NII = "NetworkInterfaceId";
var _NIPIe = "NetworkInterfacePermissionId";
var _NIPIetw = "NetworkInterfacePermissionIds";
var _NIe = "NetworkInterface";
var _NIet = "NetworkInterfaces";
var _NIetw = "NetworkInfo";
var _NIeu = "NeuronInfo";
var _NPO = "NetworkPerformanceOptions";
var _NPe = "NetworkPerformance";
var _NS = "NvmeSupport";
var _NTI = "NitroTpmInfo";
var _NTS = "NitroTpmSupport";
var _NTSVL = "NitroTpmSupportedVersionsList";
var _NTe = "NextToken";
var _NV = "NestedVirtualization";
var _OA = "OutpostArn";
var _OC = "OfferingClass";
var _ODMPPOLP = "OnDemandMaxPricePercentageOverLowestPrice";
var _ODO = "OnDemandOptions";
var _ODOR = "OnDemandOptionsRequest";
var _ODTC = "OnDemandTargetCapacity";
var _OI = "OwnerId";
var _OIS = "OptInStatus";
var _OIw = "OwnerIds";
var _ON = "OptionName";
var _ORpe = "OperatorRequest";
var _ORper = "OperatorResponse";
var _OSL = "OwnerStringList";
var _OTf = "OfferingType";
var _OV = "OptionValues";
var _OVp = "OptionValue";
var _Op = "Operator";
var _Ov = "Overrides";
var _Ow = "Owners";
var _Own = "Owner";
var _P = "Principal";
var _PBIG = "PeakBandwidthInGbps";
var _PCIr = "ProductCodeId";
var _PCLr = "ProductCodeList";
var _PCT = "ProductCodeType";
var _PCr = "ProductCode";
var _PCro = "ProductCodes";
var _PDN = "PrivateDnsName";
var _PDNO = "PrivateDnsNameOptions";
var _PDNOOL = "PrivateDnsNameOptionsOnLaunch";
var _PDNORr = "PrivateDnsNameOptionsResponse";
var _PDNub = "PublicDnsName";
var _PDl = "PlatformDetails";
var _PDr = "ProductDescription";
var _PDro = "ProductDescriptions";
var _PFR = "PerformanceFactorReference";
var _PFRR = "PerformanceFactorReferenceRequest";
var _PFRS = "PerformanceFactorReferenceSet";
var _PFRSR = "PerformanceFactorReferenceSetRequest";
var _PGISL = "PlacementGroupIdStringList";
var _PGIl = "PlacementGroupInfo";
var _PGSL = "PlacementGroupStrategyList";
var _PI = "PublicIp";
var _PIAC = "PrivateIpAddressCount";
var _PIAS = "PrivateIpAddressSpecification";
var _PIASL = "PrivateIpAddressSpecificationList";
var _PIAr = "PrivateIpAddress";
var _PIAri = "PrivateIpAddresses";
var _PIAu = "PublicIpAddress";
var _PIr = "PrimaryIpv6";
var _PIro = "ProcessorInfo";
var _PLI = "PrefixListId";
var _PLIL = "PrefixListIdList";
var _PLIr = "PrefixListIds";
var _PLa = "PacketLength";
var _PN = "PartitionNumber";
var _PRl = "PlacementResponse";
var _PSPN = "PublicSsmParameterName";
var _PSee = "PeeringStatus";
var _PSh = "PhcSupport";
var _PSr = "PreviousState";
var _PZI = "ParentZoneId";
var _PZN = "ParentZoneName";
var _Pl = "Platform";
var _Pla = "Placement";
var _Pr = "Protocol";
var _Prim = "Primary";
var _Prio = "Priority";
var _Pu = "Public";
var _Q = "Quantity";
var _RA = "RuleAction";
var _RBUI = "RestorableByUserIds";
var _RBe = "RestorableBy";
var _RCFMTL = "ReservedCapacityFallbackMarketTypeList";
var _RCFO = "ReservedCapacityFallbackOptions";
var _RCFOR = "ReservedCapacityFallbackOptionsRequest";
var _RCO = "ReservedCapacityOptions";
var _RCOR = "ReservedCapacityOptionsRequest";
var _RDI = "RamDiskId";
var _RDN = "RootDeviceName";
var _RDT = "RootDeviceType";
var _RDTL = "RootDeviceTypeList";
var _REIT = "RequireEncryptionInTransit";
var _RF = "RemoveFields";
var _RFe = "RemoveField";
var _RHS = "RequireHibernateSupport";
var _RI = "ReportId";
var _RIOI = "ReservedInstancesOfferingIds";
var _RIOIe = "ReservedInstancesOfferingId";
var _RIa = "RamdiskId";
var _RIe = "ReservationId";
var _RIep = "ReportIds";
var _RIeq = "RequesterId";
var _RIeso = "ResourceId";
var _RLTD = "RequestLaunchTemplateData";
var _RLe = "ReservationList";
var _RMAI = "RemoveMiddleboxAttachmentIds";
var _RMAIe = "RemoveMiddleboxAttachmentId";
var _RMS = "RebootMigrationSupport";
var _RMe = "RebootMigration";
var _RN = "RegionName";
var _RNe = "RegionNames";
var _RNu = "RuleNumber";
var _RSEI = "RouteServerEndpointId";
var _RSEIo = "RouteServerEndpointIds";
var _RSI = "RouteServerId";
var _RSIo = "RouteServerIds";
var _RSPI = "RouteServerPeerId";
var _RSPIo = "RouteServerPeerIds";
var _RSep = "ReplacementStrategy";
var _RT = "ReservationType";
var _RTLR = "ReservationTypeListRequest";
var _RTO = "ResourceTypeOptions";
var _RTOL = "ResourceTypeOptionList";
var _RTOe = "ResourceTypeOption";
var _RTRL = "ResourceTypeRequestList";
var _RTRe = "ResourceTypeRequest";
var _RTe = "ResourceType";
var _RTes = "ResourceTypes";
var _RTese = "ReservationTypes";
var _RUI = "ReplaceUnhealthyInstances";
var _Ref = "References";
var _Refe = "Reference";
var _Res = "Resources";
var _Rese = "Reservations";
var _Reser = "Reservation";
var _SAPFL = "SupportedAdditionalProcessorFeatureList";
var _SAZ = "SingleAvailabilityZone";
var _SAub = "SubnetArn";
var _SAup = "SupportedArchitectures";
var _SBM = "SupportedBootModes";
var _SCB = "SourceCidrBlock";
var _SCBS = "SubnetCidrBlockState";
var _SCSIG = "SustainedClockSpeedInGhz";
var _SDC = "SourceDestCheck";
var _SDp = "SpreadDomain";
var _SF = "SupportedFeatures";
var _SG = "SubGeography";
var _SGA = "SecurityGroupArn";
var _SGI = "SecurityGroupId";
var _SGISL = "SecurityGroupIdStringList";
var _SGIe = "SecurityGroupIds";
var _SGL = "SecurityGroupList";
var _SGSL = "SecurityGroupStringList";
var _SGe = "SecurityGroups";
var _SGec = "SecurityGroup";
var _SI = "SubnetIds";
var _SICBA = "SubnetIpv6CidrBlockAssociation";
var _SICBAS = "SubnetIpv6CidrBlockAssociationSet";
var _SICT = "SourceImageCreationTime";
var _SIGB = "SizeInGB";
var _SII = "SourceImageId";
var _SIIec = "SecondaryInterfaceId";
var _SIIo = "SourceInstanceId";
var _SIMB = "SizeInMiB";
var _SIPIAS = "SecondaryInterfacePrivateIpAddressSpecification";
var _SIPIASLR = "SecondaryInterfacePrivateIpAddressSpecificationListRequest";
var _SIPIASR = "SecondaryInterfacePrivateIpAddressSpecificationRequest";
var _SIRI = "SpotInstanceRequestId";
var _SIRo = "SourceImageRegion";
var _SIRu = "SupportedInRegion";
var _SISL = "SnapshotIdStringList";
var _SISLu = "SubnetIdStringList";
var _SIT = "SupportedInstanceTypes";
var _SITS = "SupportedInstanceTypeSet";
var _SITi = "SingleInstanceType";
var _SITp = "SpotInstanceType";
var _SIec = "SecondaryInterfaces";
var _SIeco = "SecondaryInterface";
var _SIn = "SnapshotId";
var _SIna = "SnapshotIds";
var _SIu = "SubnetId";
var _SLu = "SubnetList";
var _SMPPOLP = "SpotMaxPricePercentageOverLowestPrice";
var _SMt = "StatusMessage";
var _SNI = "SecondaryNetworkId";
var _SNS = "SriovNetSupport";
var _SNSe = "SecondaryNetworkSupported";
var _SNes = "SessionNumber";
var _SO = "SpotOptions";
var _SOR = "SpotOptionsRequest";
var _SOS = "SkipOsShutdown";
var _SPH = "SpotPriceHistory";
var _SPHL = "SpotPriceHistoryList";
var _SPIAC = "SecondaryPrivateIpAddressCount";
var _SPRo = "SourcePortRange";
var _SPp = "SpotPrice";
var _SRDT = "SupportedRootDeviceTypes";
var _SRc = "ScanResults";
var _SRt = "StateReason";
var _SSIe = "SecondarySubnetId";
var _SSu = "SupportedStrategies";
var _STC = "SpotTargetCapacity";
var _STR = "StateTransitionReason";
var _STt = "StartTime";
var _SUC = "SupportedUsageClasses";
var _SUD = "SensitiveUserData";
var _SVT = "SupportedVirtualizationTypes";
var _SVu = "SupportedVersions";
var _St = "State";
var _Sta = "Status";
var _Su = "Subnet";
var _Subn = "Subnets";
var _T = "Tags";
var _TCS = "TargetCapacitySpecification";
var _TCSR = "TargetCapacitySpecificationRequest";
var _TCUT = "TargetCapacityUnitType";
var _TCar = "TargetCapacity";
var _TD = "TrafficDirection";
var _TDe = "TerminationDelay";
var _TET = "TcpEstablishedTimeout";
var _TFMIMB = "TotalFpgaMemoryInMiB";
var _TGAIr = "TransitGatewayAttachmentIds";
var _TGI = "TransitGatewayId";
var _TGMIMB = "TotalGpuMemoryInMiB";
var _TGMPI = "TransitGatewayMeteringPolicyId";
var _TI = "TerminateInstances";
var _TIMIMB = "TotalInferenceMemoryInMiB";
var _TIR = "TerminateInstancesRequest";
var _TIRe = "TerminateInstancesResult";
var _TIWE = "TerminateInstancesWithExpiration";
var _TIer = "TerminatingInstances";
var _TL = "TagList";
var _TLSGB = "TotalLocalStorageGB";
var _TLSGBR = "TotalLocalStorageGBRequest";
var _TMFI = "TrafficMirrorFilterId";
var _TMFRI = "TrafficMirrorFilterRuleId";
var _TMMIMB = "TotalMediaMemoryInMiB";
var _TMPRR = "TrafficMirrorPortRangeRequest";
var _TMSI = "TrafficMirrorSessionId";
var _TMTI = "TrafficMirrorTargetId";
var _TNDMIMB = "TotalNeuronDeviceMemoryInMiB";
var _TP = "ToPort";
var _TPC = "ThreadsPerCore";
var _TPCL = "ThreadsPerCoreList";
var _TS = "TagSpecifications";
var _TSIGB = "TotalSizeInGB";
var _TSL = "TagSpecificationList";
var _TSa = "TagSpecification";
var _TSp = "TpmSupport";
var _TTC = "TotalTargetCapacity";
var _Ta = "Tag";
var _Te = "Tenancy";
var _Th = "Throughput";
var _Tim = "Timestamp";
var _Ty = "Type";
var _UCTL = "UsageClassTypeList";
var _UDs = "UserData";
var _UI = "UserId";
var _UIGP = "UserIdGroupPairs";
var _UIGPL = "UserIdGroupPairList";
var _UIGPs = "UserIdGroupPair";
var _UIT = "UnsupportedInstanceTypes";
var _UITS = "UnsupportedInstanceTypeSet";
var _UO = "UsageOperation";
var _UOUT = "UsageOperationUpdateTime";
var _US = "UsageStrategy";
var _UST = "UdpStreamTimeout";
var _UTd = "UdpTimeout";
var _V = "Value";
var _VCC = "VCpuCount";
var _VCCR = "VCpuCountRange";
var _VCCRR = "VCpuCountRangeRequest";
var _VCIpu = "VCpuInfo";
var _VCa = "ValidCores";
var _VD = "VersionDescription";
var _VEa = "ValidationError";
var _VF = "ValidFrom";
var _VI = "VpcId";
var _VIR = "VolumeInitializationRate";
var _VIo = "VolumeId";
var _VN = "VirtualName";
var _VNI = "VirtualNetworkId";
var _VOI = "VolumeOwnerId";
var _VPCI = "VpcPeeringConnectionId";
var _VSL = "ValueStringList";
var _VSo = "VolumeSize";
var _VT = "VolumeType";
var _VTLi = "VirtualizationTypeList";
var _VTPC = "ValidThreadsPerCore";
var _VTS = "VirtualizationTypeSet";
var _VTi = "VirtualizationTypes";
var _VTir = "VirtualizationType";
var _VU = "ValidUntil";
var _VW = "ValidationWarning";
var _Va = "Values";
var _Ver = "Version";
var _W = "Warning";
var _WCT = "WatermarkCreationTime";
var _WCe = "WeightedCapacity";
var _WK = "WatermarkKey";
var _WL = "WorkloadsList";
var _Wo = "Workloads";
var _ZI = "ZoneId";
var _ZISL = "ZoneIdStringList";
var _ZIo = "ZoneIds";
var _ZN = "ZoneName";
var _ZNSL = "ZoneNameStringList";
var _ZNo = "ZoneNames";
var _ZT = "ZoneType";
var _aCc = "acceleratorCount";
var _aFNI = "additionalFlexibleNetworkInterfaces";
var _aIAC = "availableIpAddressCount";
var _aIAOC = "assignIpv6AddressOnCreation";
var _aITS = "allowedInstanceTypeSet";
var _aIs = "associationId";
var _aIt = "attachmentId";
var _aLI = "amiLaunchIndex";
var _aLT = "attachmentLimitType";
var _aMS = "acceleratorManufacturerSet";
var _aNS = "acceleratorNameSet";
var _aP = "autoPlacement";
var _aRSu = "autoRecoverySupported";
var _aRs = "associatedResource";
var _aRut = "autoRecovery";
var _aSS = "amdSevSnp";
var _aTMMB = "acceleratorTotalMemoryMiB";
var _aTSc = "acceleratorTypeSet";
var _aTt = "attachTime";
var _aZ = "availabilityZone";
var _aZI = "availabilityZoneId";
var _aZIv = "availabilityZoneInfo";
var _acc = "accelerators";
var _af = "affinity";
var _ar = "arn";
var _arc = "architecture";
var _ass = "association";
var _at = "attachment";
var _bBIG = "baselineBandwidthInGbps";
var _bBIM = "baselineBandwidthInMbps";
var _bDM = "blockDeviceMapping";
var _bDMS = "blockDeviceMappingSet";
var _bEBM = "baselineEbsBandwidthMbps";
var _bIa = "baselineIops";
var _bM = "bootMode";
var _bMa = "bareMetal";
var _bP = "burstablePerformance";
var _bPAS = "blockPublicAccessStates";
var _bPF = "baselinePerformanceFactors";
var _bPS = "burstablePerformanceSupported";
var _bTIMB = "baselineThroughputInMBps";
var _bW = "bandwidthWeighting";
var _bWa = "bandwidthWeightings";
var _cB = "cidrBlock";
var _cBI = "capacityBlockId";
var _cBr = "createdBy";
var _cCo = "coreCount";
var _cDr = "creationDate";
var _cFAS = "criticalFixAvailableSince";
var _cGur = "currentGeneration";
var _cI = "carrierIp";
var _cIBM = "currentInstanceBootMode";
var _cIi = "cidrIp";
var _cIid = "cidrIpv6";
var _cIor = "coreInfo";
var _cMSp = "cpuManufacturerSet";
var _cO = "cpuOptions";
var _cOI = "customerOwnedIp";
var _cOIP = "customerOwnedIpv4Pool";
var _cRI = "capacityReservationId";
var _cRP = "capacityReservationPreference";
var _cRRGA = "capacityReservationResourceGroupArn";
var _cRSa = "capacityReservationSpecification";
var _cRT = "capacityReservationTarget";
var _cSu = "currentState";
var _cT = "clientToken";
var _cTC = "connectionTrackingConfiguration";
var _cTre = "createTime";
var _co = "code";
var _conf = "configured";
var _cou = "count";
var _cp = "cpu";
var _dCe = "defaultCores";
var _dEQCPI = "defaultEnaQueueCountPerInterface";
var _dFA = "defaultForAz";
var _dHS = "dedicatedHostsSupported";
var _dI = "deviceIndex";
var _dN = "deviceName";
var _dNCI = "defaultNetworkCardIndex";
var _dNn = "dnsName";
var _dOT = "deleteOnTermination";
var _dPe = "deregistrationProtection";
var _dR = "dryRun";
var _dTET = "defaultTcpEstablishedTimeout";
var _dTPC = "defaultThreadsPerCore";
var _dTe = "deprecationTime";
var _dUST = "defaultUdpStreamTimeout";
var _dUT = "defaultUdpTimeout";
var _dVC = "defaultVCpus";
var _dVN = "defaultVersionNumber";
var _de = "description";
var _dis = "disks";
var _eC = "errorCode";
var _eCI = "ebsCardIndex";
var _eCS = "ebsCardSet";
var _eDn = "enableDns64";
var _eGAI = "elasticGpuAssociationId";
var _eGAS = "elasticGpuAssociationState";
var _eGASl = "elasticGpuAssociationSet";
var _eGAT = "elasticGpuAssociationTime";
var _eGI = "elasticGpuId";
var _eIAA = "elasticInferenceAcceleratorArn";
var _eIAAI = "elasticInferenceAcceleratorAssociationId";
var _eIAAS = "elasticInferenceAcceleratorAssociationState";
var _eIAASl = "elasticInferenceAcceleratorAssociationSet";
var _eIAAT = "elasticInferenceAcceleratorAssociationTime";
var _eITSn = "encryptionInTransitSupported";
var _eITSx = "excludedInstanceTypeSet";
var _eIb = "ebsInfo";
var _eIf = "efaInfo";
var _eLADI = "enableLniAtDeviceIndex";
var _eM = "errorMessage";
var _eO = "ebsOptimized";
var _eOI = "ebsOptimizedInfo";
var _eOS = "ebsOptimizedSupport";
var _eOn = "enclaveOptions";
var _eQC = "enaQueueCount";
var _eRNDAAAAR = "enableResourceNameDnsAAAARecord";
var _eRNDAR = "enableResourceNameDnsARecord";
var _eSE = "enaSrdEnabled";
var _eSS = "enaSrdSpecification";
var _eSSn = "enaSrdSupported";
var _eSUE = "enaSrdUdpEnabled";
var _eSUS = "enaSrdUdpSpecification";
var _eSf = "efaSupported";
var _eSn = "encryptionSupport";
var _eSna = "enaSupport";
var _eSr = "errorSet";
var _eTn = "endTime";
var _eb = "ebs";
var _en = "enabled";
var _enc = "encrypted";
var _fEQS = "flexibleEnaQueuesSupport";
var _fIS = "fleetInstanceSet";
var _fIl = "fleetId";
var _fIp = "fpgaInfo";
var _fP = "fromPort";
var _fSD = "findingScanDate";
var _fTE = "freeTierEligible";
var _fp = "fpgas";
var _gD = "groupDescription";
var _gIp = "gpuInfo";
var _gIr = "groupId";
var _gLN = "groupLongName";
var _gN = "groupName";
var _gPS = "gpuPartitionSize";
var _gS = "geographySet";
var _gSr = "groupSet";
var _gp = "gpus";
var _gr = "groups";
var _h = "hypervisor";
var _hBD = "hiddenByDefault";
var _hE = "httpEndpoint";
var _hFAS = "highFixAvailableSince";
var _hFSL = "highestFindingSeverityLabel";
var _hI = "hostId";
var _hO = "hibernationOptions";
var _hPI = "httpProtocolIpv6";
var _hPRHL = "httpPutResponseHopLimit";
var _hRGA = "hostResourceGroupArn";
var _hSi = "hibernationSupported";
var _hT = "httpTokens";
var _hTo = "hostnameType";
var _i = "id";
var _iAA = "ipv6AddressAttribute";
var _iAIn = "inferenceAcceleratorInfo";
var _iAPI = "ipv4AddressesPerInterface";
var _iAPIp = "ipv6AddressesPerInterface";
var _iAPSI = "ipv4AddressesPerSecondaryInterface";
var _iASp = "ipv6AddressesSet";
var _iAm = "imageAllowed";
var _iAp = "ipAddress";
var _iApv = "ipv6Address";
var _iCB = "ipv6CidrBlock";
var _iCBASp = "ipv6CidrBlockAssociationSet";
var _iCBS = "ipv6CidrBlockState";
var _iF = "instanceFamily";
var _iFAS = "informationalFixAvailableSince";
var _iGBM = "internetGatewayBlockMode";
var _iGSn = "instanceGenerationSet";
var _iI = "instanceId";
var _iIP = "iamInstanceProfile";
var _iIma = "imageId";
var _iIns = "instanceIds";
var _iL = "imageLocation";
var _iLn = "instanceLifecycle";
var _iMT = "instanceMetadataTags";
var _iN = "ipv6Native";
var _iOA = "imageOwnerAlias";
var _iOI = "imageOwnerId";
var _iOIp = "ipOwnerId";
var _iPEp = "ipPermissionsEgress";
var _iPIs = "isPrimaryIpv6";
var _iPSpvr = "ipv4PrefixSet";
var _iPSpvre = "ipv6PrefixSet";
var _iPp = "ipProtocol";
var _iPpe = "ipPermissions";
var _iPpv = "ipv4Prefix";
var _iPpvr = "ipv6Prefix";
var _iPs = "isPublic";
var _iR = "instanceRequirements";
var _iRpa = "ipRanges";
var _iRpv = "ipv6Ranges";
var _iSI = "instanceStorageInfo";
var _iSSn = "instanceStorageSupported";
var _iSma = "imagesSet";
var _iSmag = "imageState";
var _iSmd = "imdsSupport";
var _iSns = "instancesSet";
var _iSnst = "instanceState";
var _iSpo = "ipSource";
var _iSpv = "ipv6Supported";
var _iT = "instanceType";
var _iTOS = "instanceTypeOfferingSet";
var _iTS = "instanceTypeSet";
var _iTSn = "instanceTypeSpecification";
var _iTSnt = "interfaceTypeSet";
var _iTm = "imageType";
var _iTns = "instanceTenancy";
var _iTnt = "interfaceType";
var _iWS = "imageWatermarkSet";
var _io = "iops";
var _it = "item";
var _k = "key";
var _kI = "kernelId";
var _kKI = "kmsKeyId";
var _kN = "keyName";
var _lCA = "licenseConfigurationArn";
var _lFAS = "lowFixAvailableSince";
var _lGC = "logicalGpuCount";
var _lLT = "lastLaunchedTime";
var _lSTS = "localStorageTypeSet";
var _lSic = "licenseSet";
var _lSo = "localStorage";
var _lT = "launchTemplate";
var _lTAO = "launchTemplateAndOverrides";
var _lTI = "launchTemplateId";
var _lTN = "launchTemplateName";
var _lTS = "launchTemplateSpecification";
var _lTau = "launchTime";
var _lTo = "locationType";
var _lVN = "latestVersionNumber";
var _li = "lifecycle";
var _lo = "location";
var _m = "min";
var _mAIe = "mediaAcceleratorInfo";
var _mAa = "macAddress";
var _mBIM = "maximumBandwidthInMbps";
var _mCIS = "metricCategoryIdSet";
var _mCOIOL = "mapCustomerOwnedIpOnLaunch";
var _mEA = "maximumEbsAttachments";
var _mEC = "maximumEbsCards";
var _mEI = "maximumEfaInterfaces";
var _mEQC = "maximumEnaQueueCount";
var _mEQCPI = "maximumEnaQueueCountPerInterface";
var _mFAS = "mediumFixAvailableSince";
var _mGBPVC = "memoryGiBPerVCpu";
var _mI = "maximumIops";
var _mIe = "memoryInfo";
var _mMB = "memoryMiB";
var _mNC = "maximumNetworkCards";
var _mNI = "maximumNetworkInterfaces";
var _mO = "metadataOptions";
var _mOa = "maintenanceOptions";
var _mP = "maxPrice";
var _mPIOL = "mapPublicIpOnLaunch";
var _mR = "maxResults";
var _mS = "messageSet";
var _mSNI = "maximumSecondaryNetworkInterfaces";
var _mSPAPOOODP = "maxSpotPriceAsPercentageOfOptimalOnDemandPrice";
var _mTIMB = "maximumThroughputInMBps";
var _ma = "max";
var _man = "manufacturer";
var _mana = "managed";
var _me = "message";
var _mon = "monitoring";
var _n = "name";
var _nBG = "networkBorderGroup";
var _nBGe = "networkBandwidthGbps";
var _nC = "networkCards";
var _nCI = "networkCardIndex";
var _nD = "noDevice";
var _nDe = "neuronDevices";
var _nES = "nitroEnclavesSupport";
var _nIC = "networkInterfaceCount";
var _nII = "networkInterfaceId";
var _nIS = "networkInterfaceSet";
var _nIet = "networkInfo";
var _nIeu = "neuronInfo";
var _nPO = "networkPerformanceOptions";
var _nPe = "networkPerformance";
var _nS = "nvmeSupport";
var _nTI = "nitroTpmInfo";
var _nTS = "nitroTpmSupport";
var _nTe = "nextToken";
var _nV = "nestedVirtualization";
var _oA = "outpostArn";
var _oDMPPOLP = "onDemandMaxPricePercentageOverLowestPrice";
var _oI = "ownerId";
var _oIS = "optInStatus";
var _oTf = "offeringType";
var _ope = "operator";
var _ov = "overrides";
var _p = "principal";
var _pBIG = "peakBandwidthInGbps";
var _pC = "productCodes";
var _pCr = "productCode";
var _pDNO = "privateDnsNameOptions";
var _pDNOOL = "privateDnsNameOptionsOnLaunch";
var _pDNr = "privateDnsName";
var _pDNu = "publicDnsName";
var _pDl = "platformDetails";
var _pDr = "productDescription";
var _pGI = "placementGroupInfo";
var _pI = "publicIp";
var _pIAS = "privateIpAddressesSet";
var _pIASr = "privateIpAddressSet";
var _pIAr = "privateIpAddress";
var _pIr = "processorInfo";
var _pLI = "prefixListId";
var _pLIr = "prefixListIds";
var _pN = "partitionNumber";
var _pSPN = "publicSsmParameterName";
var _pSee = "peeringStatus";
var _pSh = "phcSupport";
var _pSr = "previousState";
var _pZI = "parentZoneId";
var _pZN = "parentZoneName";
var _pl = "platform";
var _pla = "placement";
var _pri = "priority";
var _prim = "primary";
var _q = "quantity";
var _rDN = "rootDeviceName";
var _rDT = "rootDeviceType";
var _rEIT = "requireEncryptionInTransit";
var _rHS = "requireHibernateSupport";
var _rI = "reservationId";
var _rIa = "ramdiskId";
var _rIeq = "requesterId";
var _rIes = "resourceId";
var _rMS = "rebootMigrationSupport";
var _rMe = "rebootMigration";
var _rNe = "regionName";
var _rSe = "referenceSet";
var _rSes = "reservationSet";
var _rTe = "resourceType";
var _re = "reason";
var _s = "smithy.ts.sdk.synthetic.com.amazonaws.ec2";
var _sAu = "supportedArchitectures";
var _sAub = "subnetArn";
var _sBM = "supportedBootModes";
var _sCSIG = "sustainedClockSpeedInGhz";
var _sDC = "sourceDestCheck";
var _sDp = "spreadDomain";
var _sF = "supportedFeatures";
var _sGA = "securityGroupArn";
var _sGIec = "securityGroupInfo";
var _sGS = "subGeographySet";
var _sICT = "sourceImageCreationTime";
var _sIGB = "sizeInGB";
var _sII = "sourceInstanceId";
var _sIIe = "secondaryInterfaceId";
var _sIIo = "sourceImageId";
var _sIMB = "sizeInMiB";
var _sIR = "sourceImageRegion";
var _sIRI = "spotInstanceRequestId";
var _sIRu = "supportedInRegion";
var _sISe = "secondaryInterfaceSet";
var _sITS = "supportedInstanceTypeSet";
var _sIn = "snapshotId";
var _sIu = "subnetId";
var _sMPPOLP = "spotMaxPricePercentageOverLowestPrice";
var _sMt = "statusMessage";
var _sNI = "secondaryNetworkId";
var _sNSec = "secondaryNetworkSupported";
var _sNSr = "sriovNetSupport";
var _sPHS = "spotPriceHistorySet";
var _sPp = "spotPrice";
var _sRDT = "supportedRootDeviceTypes";
var _sRc = "scanResults";
var _sRt = "stateReason";
var _sSI = "secondarySubnetId";
var _sSub = "subnetSet";
var _sSup = "supportedStrategies";
var _sTt = "startTime";
var _sUC = "supportedUsageClasses";
var _sVT = "supportedVirtualizationTypes";
var _sVu = "supportedVersions";
var _st = "state";
var _sta = "status";
var _tET = "tcpEstablishedTimeout";
var _tFMIMB = "totalFpgaMemoryInMiB";
var _tGMIMB = "totalGpuMemoryInMiB";
var _tIMIMB = "totalInferenceMemoryInMiB";
var _tLSGB = "totalLocalStorageGB";
var _tMMIMB = "totalMediaMemoryInMiB";
var _tNDMIMB = "totalNeuronDeviceMemoryInMiB";
var _tP = "toPort";
var _tPC = "threadsPerCore";
var _tS = "tagSet";
var _tSIGB = "totalSizeInGB";
var _tSp = "tpmSupport";
var _ta = "tag";
var _te = "tenancy";
var _th = "throughput";
var _ti = "timestamp";
var _ty = "type";
var _uI = "userId";
var _uITS = "unsupportedInstanceTypeSet";
var _uO = "usageOperation";
var _uOUT = "usageOperationUpdateTime";
var _uST = "udpStreamTimeout";
var _uTd = "udpTimeout";
var _v = "value";
var _vCC = "vCpuCount";
var _vCIp = "vCpuInfo";
var _vCa = "validCores";
var _vI = "vpcId";
var _vIo = "volumeId";
var _vN = "virtualName";
var _vOI = "volumeOwnerId";
var _vPCI = "vpcPeeringConnectionId";
var _vSo = "volumeSize";
var _vT = "volumeType";
var _vTPC = "validThreadsPerCore";
var _vTi = "virtualizationType";
var _ve = "version";
var _w = "warning";
var _wC = "weightedCapacity";
var _wCT = "watermarkCreationTime";
var _wK = "watermarkKey";
var _wS = "workloadSet";
var _zI = "zoneId";
var _zN = "zoneName";
var _zS = "zoneState";
var _zT = "zoneType";
var n0 = "com.amazonaws.ec2";
var _s_registry = new TypeRegistry(_s);
var EC2ServiceException$ = [-3, _s, "EC2ServiceException", 0, [], []];
_s_registry.registerError(EC2ServiceException$, EC2ServiceException);
var errorTypeRegistries = [
  _s_registry
];
var SensitiveUserData = [0, n0, _SUD, 8, 0];
var AcceleratorCount$ = [
  3,
  n0,
  _AC,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var AcceleratorCountRequest$ = [
  3,
  n0,
  _ACR,
  0,
  [_M, _Ma],
  [1, 1]
];
var AcceleratorTotalMemoryMiB$ = [
  3,
  n0,
  _ATMMB,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var AcceleratorTotalMemoryMiBRequest$ = [
  3,
  n0,
  _ATMMBR,
  0,
  [_M, _Ma],
  [1, 1]
];
var AllocateHostsRequest$ = [
  3,
  n0,
  _AHR,
  0,
  [_IF, _TS, _HR, _OA, _HM, _AIss, _AZI, _CO, _APu, _CT, _IT, _Q, _AZ],
  [0, [() => TagSpecificationList, { "xmlName": _TSa }], 0, 0, 0, [64 | 0, { "xmlName": _AIsse }], 0, () => HostCpuOptionsRequest$, [0, {
    "ec2QueryName": `AutoPlacement`,
    "xmlName": _aP
  }], [0, {
    "ec2QueryName": `ClientToken`,
    "xmlName": _cT
  }], [0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }], [1, {
    "ec2QueryName": `Quantity`,
    "xmlName": _q
  }], [0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }]]
];
var AvailabilityZone$ = [
  3,
  n0,
  _AZ,
  0,
  [_OIS, _Mes, _RN, _ZN, _ZI, _GN, _NBG, _ZT, _PZN, _PZI, _GLN, _Ge, _SG, _St],
  [[0, {
    "ec2QueryName": `OptInStatus`,
    "xmlName": _oIS
  }], [() => AvailabilityZoneMessageList, {
    "ec2QueryName": `MessageSet`,
    "xmlName": _mS
  }], [0, {
    "ec2QueryName": `RegionName`,
    "xmlName": _rNe
  }], [0, {
    "ec2QueryName": `ZoneName`,
    "xmlName": _zN
  }], [0, {
    "ec2QueryName": `ZoneId`,
    "xmlName": _zI
  }], [0, {
    "ec2QueryName": `GroupName`,
    "xmlName": _gN
  }], [0, {
    "ec2QueryName": `NetworkBorderGroup`,
    "xmlName": _nBG
  }], [0, {
    "ec2QueryName": `ZoneType`,
    "xmlName": _zT
  }], [0, {
    "ec2QueryName": `ParentZoneName`,
    "xmlName": _pZN
  }], [0, {
    "ec2QueryName": `ParentZoneId`,
    "xmlName": _pZI
  }], [0, {
    "ec2QueryName": `GroupLongName`,
    "xmlName": _gLN
  }], [() => AvailabilityZoneGeographyList, {
    "ec2QueryName": `GeographySet`,
    "xmlName": _gS
  }], [() => AvailabilityZoneSubGeographyList, {
    "ec2QueryName": `SubGeographySet`,
    "xmlName": _sGS
  }], [0, {
    "ec2QueryName": `ZoneState`,
    "xmlName": _zS
  }]]
];
var AvailabilityZoneGeography$ = [
  3,
  n0,
  _AZG,
  0,
  [_N],
  [[0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }]]
];
var AvailabilityZoneMessage$ = [
  3,
  n0,
  _AZM,
  0,
  [_Me],
  [[0, {
    "ec2QueryName": `Message`,
    "xmlName": _me
  }]]
];
var AvailabilityZoneSubGeography$ = [
  3,
  n0,
  _AZSG,
  0,
  [_N],
  [[0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }]]
];
var BaselineEbsBandwidthMbps$ = [
  3,
  n0,
  _BEBM,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var BaselineEbsBandwidthMbpsRequest$ = [
  3,
  n0,
  _BEBMR,
  0,
  [_M, _Ma],
  [1, 1]
];
var BaselinePerformanceFactors$ = [
  3,
  n0,
  _BPF,
  0,
  [_Cp],
  [[() => CpuPerformanceFactor$, {
    "ec2QueryName": `Cpu`,
    "xmlName": _cp
  }]]
];
var BaselinePerformanceFactorsRequest$ = [
  3,
  n0,
  _BPFR,
  0,
  [_Cp],
  [[() => CpuPerformanceFactorRequest$, 0]]
];
var BlockDeviceMapping$ = [
  3,
  n0,
  _BDM,
  0,
  [_Eb, _ND, _DN, _VN],
  [[() => EbsBlockDevice$, {
    "ec2QueryName": `Ebs`,
    "xmlName": _eb
  }], [0, {
    "ec2QueryName": `NoDevice`,
    "xmlName": _nD
  }], [0, {
    "ec2QueryName": `DeviceName`,
    "xmlName": _dN
  }], [0, {
    "ec2QueryName": `VirtualName`,
    "xmlName": _vN
  }]]
];
var BlockDeviceMappingResponse$ = [
  3,
  n0,
  _BDMR,
  0,
  [_DN, _VN, _Eb, _ND],
  [[0, {
    "ec2QueryName": `DeviceName`,
    "xmlName": _dN
  }], [0, {
    "ec2QueryName": `VirtualName`,
    "xmlName": _vN
  }], [() => EbsBlockDeviceResponse$, {
    "ec2QueryName": `Ebs`,
    "xmlName": _eb
  }], [0, {
    "ec2QueryName": `NoDevice`,
    "xmlName": _nD
  }]]
];
var BlockPublicAccessStates$ = [
  3,
  n0,
  _BPAS,
  0,
  [_IGBM],
  [[0, {
    "ec2QueryName": `InternetGatewayBlockMode`,
    "xmlName": _iGBM
  }]]
];
var CapacityReservationOptionsRequest$ = [
  3,
  n0,
  _CROR,
  0,
  [_US],
  [0]
];
var CapacityReservationSpecificationResponse$ = [
  3,
  n0,
  _CRSR,
  0,
  [_CRP, _CRT],
  [[0, {
    "ec2QueryName": `CapacityReservationPreference`,
    "xmlName": _cRP
  }], [() => CapacityReservationTargetResponse$, {
    "ec2QueryName": `CapacityReservationTarget`,
    "xmlName": _cRT
  }]]
];
var CapacityReservationTarget$ = [
  3,
  n0,
  _CRT,
  0,
  [_CRI, _CRRGA],
  [0, 0]
];
var CapacityReservationTargetResponse$ = [
  3,
  n0,
  _CRTR,
  0,
  [_CRI, _CRRGA],
  [[0, {
    "ec2QueryName": `CapacityReservationId`,
    "xmlName": _cRI
  }], [0, {
    "ec2QueryName": `CapacityReservationResourceGroupArn`,
    "xmlName": _cRRGA
  }]]
];
var ConnectionTrackingSpecificationRequest$ = [
  3,
  n0,
  _CTSR,
  0,
  [_TET, _UST, _UTd],
  [1, 1, 1]
];
var ConnectionTrackingSpecificationResponse$ = [
  3,
  n0,
  _CTSRo,
  0,
  [_TET, _UST, _UTd],
  [[1, {
    "ec2QueryName": `TcpEstablishedTimeout`,
    "xmlName": _tET
  }], [1, {
    "ec2QueryName": `UdpStreamTimeout`,
    "xmlName": _uST
  }], [1, {
    "ec2QueryName": `UdpTimeout`,
    "xmlName": _uTd
  }]]
];
var CpuOptions$ = [
  3,
  n0,
  _CO,
  0,
  [_CCor, _TPC, _ASSm, _NV],
  [[1, {
    "ec2QueryName": `CoreCount`,
    "xmlName": _cCo
  }], [1, {
    "ec2QueryName": `ThreadsPerCore`,
    "xmlName": _tPC
  }], [0, {
    "ec2QueryName": `AmdSevSnp`,
    "xmlName": _aSS
  }], [0, {
    "ec2QueryName": `NestedVirtualization`,
    "xmlName": _nV
  }]]
];
var CpuPerformanceFactor$ = [
  3,
  n0,
  _CPF,
  0,
  [_Ref],
  [[() => PerformanceFactorReferenceSet, {
    "ec2QueryName": `ReferenceSet`,
    "xmlName": _rSe
  }]]
];
var CpuPerformanceFactorRequest$ = [
  3,
  n0,
  _CPFR,
  0,
  [_Ref],
  [[() => PerformanceFactorReferenceSetRequest, { "xmlName": _Refe }]]
];
var CreateFleetError$ = [
  3,
  n0,
  _CFE,
  0,
  [_LTAO, _Li, _EC, _EM],
  [[() => LaunchTemplateAndOverridesResponse$, {
    "ec2QueryName": `LaunchTemplateAndOverrides`,
    "xmlName": _lTAO
  }], [0, {
    "ec2QueryName": `Lifecycle`,
    "xmlName": _li
  }], [0, {
    "ec2QueryName": `ErrorCode`,
    "xmlName": _eC
  }], [0, {
    "ec2QueryName": `ErrorMessage`,
    "xmlName": _eM
  }]]
];
var CreateFleetInstance$ = [
  3,
  n0,
  _CFI,
  0,
  [_LTAO, _Li, _IIn, _IT, _Pl, _AZI, _AZ, _SIu],
  [[() => LaunchTemplateAndOverridesResponse$, {
    "ec2QueryName": `LaunchTemplateAndOverrides`,
    "xmlName": _lTAO
  }], [0, {
    "ec2QueryName": `Lifecycle`,
    "xmlName": _li
  }], [() => InstanceIdsSet, {
    "ec2QueryName": `InstanceIds`,
    "xmlName": _iIns
  }], [0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }], [0, {
    "ec2QueryName": `Platform`,
    "xmlName": _pl
  }], [0, {
    "ec2QueryName": `AvailabilityZoneId`,
    "xmlName": _aZI
  }], [0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }], [0, {
    "ec2QueryName": `SubnetId`,
    "xmlName": _sIu
  }]]
];
var CreateFleetRequest$ = [
  3,
  n0,
  _CFR,
  0,
  [_LTC, _TCS, _DR, _CT, _SO, _ODO, _RCO, _ECTP, _TIWE, _Ty, _VF, _VU, _RUI, _TS, _Con],
  [[() => FleetLaunchTemplateConfigListRequest, 0], () => TargetCapacitySpecificationRequest$, 2, [0, 4], () => SpotOptionsRequest$, () => OnDemandOptionsRequest$, [() => ReservedCapacityOptionsRequest$, 0], 0, 2, 0, 4, 4, 2, [() => TagSpecificationList, { "xmlName": _TSa }], 0],
  2
];
var CreateFleetResult$ = [
  3,
  n0,
  _CFRr,
  0,
  [_FIl, _Err, _Ins],
  [[0, {
    "ec2QueryName": `FleetId`,
    "xmlName": _fIl
  }], [() => CreateFleetErrorsSet, {
    "ec2QueryName": `ErrorSet`,
    "xmlName": _eSr
  }], [() => CreateFleetInstancesSet, {
    "ec2QueryName": `FleetInstanceSet`,
    "xmlName": _fIS
  }]]
];
var CreateLaunchTemplateRequest$ = [
  3,
  n0,
  _CLTR,
  0,
  [_LTN, _LTD, _DR, _CT, _VD, _Op, _TS],
  [0, [() => RequestLaunchTemplateData$, 0], 2, [0, 4], 0, () => OperatorRequest$, [() => TagSpecificationList, { "xmlName": _TSa }]],
  2
];
var CreateLaunchTemplateResult$ = [
  3,
  n0,
  _CLTRr,
  0,
  [_LT, _W],
  [[() => LaunchTemplate$, {
    "ec2QueryName": `LaunchTemplate`,
    "xmlName": _lT
  }], [() => ValidationWarning$, {
    "ec2QueryName": `Warning`,
    "xmlName": _w
  }]]
];
var CreateTagsRequest$ = [
  3,
  n0,
  _CTR,
  0,
  [_Res, _T, _DR],
  [[64 | 0, { "xmlName": _RIeso }], [() => TagList, { "xmlName": _Ta }], [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }]],
  2
];
var CreateTransitGatewayMeteringPolicyRequest$ = [
  3,
  n0,
  _CTGMPR,
  0,
  [_TGI, _MAIi, _TS, _DR],
  [0, [64 | 0, { "xmlName": _MAIid }], [() => TagSpecificationList, 0], 2],
  1
];
var CreditSpecificationRequest$ = [
  3,
  n0,
  _CSRred,
  0,
  [_CCp],
  [0],
  1
];
var DefaultConnectionTrackingConfiguration$ = [
  3,
  n0,
  _DCTC,
  0,
  [_DTET, _DUT, _DUST],
  [[1, {
    "ec2QueryName": `DefaultTcpEstablishedTimeout`,
    "xmlName": _dTET
  }], [1, {
    "ec2QueryName": `DefaultUdpTimeout`,
    "xmlName": _dUT
  }], [1, {
    "ec2QueryName": `DefaultUdpStreamTimeout`,
    "xmlName": _dUST
  }]]
];
var DeleteFleetsRequest$ = [
  3,
  n0,
  _DFR,
  0,
  [_FIle, _TI, _DR],
  [[64 | 0, { "xmlName": _FIl }], 2, 2],
  2
];
var DeleteTagsRequest$ = [
  3,
  n0,
  _DTR,
  0,
  [_Res, _DR, _T],
  [[64 | 0, {
    "ec2QueryName": `ResourceId`,
    "xmlName": _rIes
  }], [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [() => TagList, {
    "ec2QueryName": `Tag`,
    "xmlName": _ta
  }]],
  1
];
var DescribeAvailabilityZonesRequest$ = [
  3,
  n0,
  _DAZR,
  0,
  [_ZNo, _ZIo, _AAZ, _DR, _Fi],
  [[() => ZoneNameStringList, { "xmlName": _ZN }], [() => ZoneIdStringList, { "xmlName": _ZI }], 2, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [() => FilterList, { "xmlName": _Fil }]]
];
var DescribeAvailabilityZonesResult$ = [
  3,
  n0,
  _DAZRe,
  0,
  [_AZv],
  [[() => AvailabilityZoneList, {
    "ec2QueryName": `AvailabilityZoneInfo`,
    "xmlName": _aZIv
  }]]
];
var DescribeCarrierGatewaysRequest$ = [
  3,
  n0,
  _DCGRes,
  0,
  [_CGIa, _Fi, _MR, _NTe, _DR],
  [[64 | 0, { "xmlName": _CGI }], [() => FilterList, { "xmlName": _Fil }], 1, 0, 2]
];
var DescribeFleetsRequest$ = [
  3,
  n0,
  _DFRes,
  0,
  [_DR, _MR, _NTe, _FIle, _Fi],
  [2, 1, 0, [64 | 0, { "xmlName": _FIl }], [() => FilterList, { "xmlName": _Fil }]]
];
var DescribeImageReferencesRequest$ = [
  3,
  n0,
  _DIRR,
  0,
  [_IIma, _IART, _RTes, _NTe, _DR, _MR],
  [[64 | 0, { "xmlName": _IIm }], 2, [() => ResourceTypeRequestList, { "xmlName": _RTe }], 0, 2, 1],
  1
];
var DescribeImagesRequest$ = [
  3,
  n0,
  _DIRes,
  0,
  [_EU, _IIma, _Ow, _ID, _IDn, _MR, _NTe, _DR, _Fi],
  [[() => ExecutableByStringList, { "xmlName": _EBx }], [() => ImageIdStringList, { "xmlName": _IIm }], [() => OwnerStringList, { "xmlName": _Own }], 2, 2, 1, 0, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [() => FilterList, { "xmlName": _Fil }]]
];
var DescribeImagesResult$ = [
  3,
  n0,
  _DIResc,
  0,
  [_NTe, _Im],
  [[0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }], [() => ImageList, {
    "ec2QueryName": `ImagesSet`,
    "xmlName": _iSma
  }]]
];
var DescribeImageUsageReportEntriesRequest$ = [
  3,
  n0,
  _DIURER,
  0,
  [_IIma, _RIep, _NTe, _Fi, _DR, _MR],
  [[64 | 0, { "xmlName": _IIm }], [64 | 0, { "xmlName": _RI }], 0, [() => FilterList, { "xmlName": _Fil }], 2, 1]
];
var DescribeImageUsageReportsRequest$ = [
  3,
  n0,
  _DIURRes,
  0,
  [_IIma, _RIep, _NTe, _Fi, _DR, _MR],
  [[64 | 0, { "xmlName": _IIm }], [64 | 0, { "xmlName": _RI }], 0, [() => FilterList, { "xmlName": _Fil }], 2, 1]
];
var DescribeInstancesRequest$ = [
  3,
  n0,
  _DIRescr,
  0,
  [_IIn, _IMR, _DR, _Fi, _NTe, _MR],
  [[() => InstanceIdStringList, { "xmlName": _II }], 2, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [() => FilterList, { "xmlName": _Fil }], [0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }], [1, {
    "ec2QueryName": `MaxResults`,
    "xmlName": _mR
  }]]
];
var DescribeInstancesResult$ = [
  3,
  n0,
  _DIRescri,
  0,
  [_NTe, _Rese],
  [[0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }], [() => ReservationList, {
    "ec2QueryName": `ReservationSet`,
    "xmlName": _rSes
  }]]
];
var DescribeInstanceTopologyRequest$ = [
  3,
  n0,
  _DITR,
  0,
  [_DR, _NTe, _MR, _IIn, _GNr, _Fi],
  [2, 0, 1, [64 | 0, { "xmlName": _II }], [64 | 0, { "xmlName": _GN }], [() => FilterList, { "xmlName": _Fil }]]
];
var DescribeInstanceTypeOfferingsRequest$ = [
  3,
  n0,
  _DITOR,
  0,
  [_DR, _LTo, _Fi, _MR, _NTe],
  [2, 0, [() => FilterList, { "xmlName": _Fil }], 1, 0]
];
var DescribeInstanceTypeOfferingsResult$ = [
  3,
  n0,
  _DITORe,
  0,
  [_ITO, _NTe],
  [[() => InstanceTypeOfferingsList, {
    "ec2QueryName": `InstanceTypeOfferingSet`,
    "xmlName": _iTOS
  }], [0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }]]
];
var DescribeInstanceTypesRequest$ = [
  3,
  n0,
  _DITRes,
  0,
  [_DR, _ITnst, _Fi, _MR, _NTe, _IUIR],
  [2, [64 | 0, { "xmlName": _IT }], [() => FilterList, { "xmlName": _Fil }], 1, 0, 2]
];
var DescribeInstanceTypesResult$ = [
  3,
  n0,
  _DITResc,
  0,
  [_ITnst, _NTe],
  [[() => InstanceTypeInfoList, {
    "ec2QueryName": `InstanceTypeSet`,
    "xmlName": _iTS
  }], [0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }]]
];
var DescribeNetworkInterfacePermissionsRequest$ = [
  3,
  n0,
  _DNIPRescr,
  0,
  [_NIPIetw, _Fi, _NTe, _MR],
  [[64 | 0, { "xmlName": _NIPIe }], [() => FilterList, { "xmlName": _Fil }], 0, 1]
];
var DescribePlacementGroupsRequest$ = [
  3,
  n0,
  _DPGRe,
  0,
  [_GIro, _DR, _GNr, _Fi],
  [[() => PlacementGroupIdStringList, { "xmlName": _GIr }], [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [64 | 0, {
    "ec2QueryName": `GroupName`,
    "xmlName": _gN
  }], [() => FilterList, { "xmlName": _Fil }]]
];
var DescribeReservedInstancesOfferingsRequest$ = [
  3,
  n0,
  _DRIOR,
  0,
  [_AZ, _IM, _IT, _MD, _MIC, _MDi, _OC, _PDr, _RIOI, _AZI, _DR, _Fi, _ITns, _OTf, _NTe, _MR],
  [0, 2, 0, 1, 1, 1, 0, 0, [64 | 0, { "xmlName": _RIOIe }], 0, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [() => FilterList, { "xmlName": _Fil }], [0, {
    "ec2QueryName": `InstanceTenancy`,
    "xmlName": _iTns
  }], [0, {
    "ec2QueryName": `OfferingType`,
    "xmlName": _oTf
  }], [0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }], [1, {
    "ec2QueryName": `MaxResults`,
    "xmlName": _mR
  }]]
];
var DescribeRouteServerEndpointsRequest$ = [
  3,
  n0,
  _DRSERes,
  0,
  [_RSEIo, _NTe, _MR, _Fi, _DR],
  [[64 | 0, { "xmlName": _RSEI }], 0, 1, [() => FilterList, { "xmlName": _Fil }], 2]
];
var DescribeRouteServerPeersRequest$ = [
  3,
  n0,
  _DRSPRes,
  0,
  [_RSPIo, _NTe, _MR, _Fi, _DR],
  [[64 | 0, { "xmlName": _RSPI }], 0, 1, [() => FilterList, { "xmlName": _Fil }], 2]
];
var DescribeRouteServersRequest$ = [
  3,
  n0,
  _DRSRes,
  0,
  [_RSIo, _NTe, _MR, _Fi, _DR],
  [[64 | 0, { "xmlName": _RSI }], 0, 1, [() => FilterList, { "xmlName": _Fil }], 2]
];
var DescribeSecurityGroupsRequest$ = [
  3,
  n0,
  _DSGRes,
  0,
  [_GIro, _GNr, _NTe, _MR, _DR, _Fi],
  [[() => GroupIdStringList, { "xmlName": _GIr }], [() => GroupNameStringList, { "xmlName": _GN }], 0, 1, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [() => FilterList, { "xmlName": _Fil }]]
];
var DescribeSecurityGroupsResult$ = [
  3,
  n0,
  _DSGResc,
  0,
  [_NTe, _SGe],
  [[0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }], [() => SecurityGroupList, {
    "ec2QueryName": `SecurityGroupInfo`,
    "xmlName": _sGIec
  }]]
];
var DescribeSnapshotsRequest$ = [
  3,
  n0,
  _DSRes,
  0,
  [_MR, _NTe, _OIw, _RBUI, _SIna, _DR, _Fi],
  [1, 0, [() => OwnerStringList, { "xmlName": _Own }], [64 | 0, { "xmlName": _RBe }], [() => SnapshotIdStringList, { "xmlName": _SIn }], [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [() => FilterList, { "xmlName": _Fil }]]
];
var DescribeSpotPriceHistoryRequest$ = [
  3,
  n0,
  _DSPHR,
  0,
  [_AZI, _DR, _STt, _ETnd, _ITnst, _PDro, _Fi, _AZ, _MR, _NTe],
  [0, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }], [4, {
    "ec2QueryName": `StartTime`,
    "xmlName": _sTt
  }], [4, {
    "ec2QueryName": `EndTime`,
    "xmlName": _eTn
  }], [64 | 0, { "xmlName": _IT }], [64 | 0, { "xmlName": _PDr }], [() => FilterList, { "xmlName": _Fil }], [0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }], [1, {
    "ec2QueryName": `MaxResults`,
    "xmlName": _mR
  }], [0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }]]
];
var DescribeSpotPriceHistoryResult$ = [
  3,
  n0,
  _DSPHRe,
  0,
  [_NTe, _SPH],
  [[0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }], [() => SpotPriceHistoryList, {
    "ec2QueryName": `SpotPriceHistorySet`,
    "xmlName": _sPHS
  }]]
];
var DescribeSubnetsRequest$ = [
  3,
  n0,
  _DSRescr,
  0,
  [_Fi, _SI, _NTe, _MR, _DR],
  [[() => FilterList, { "xmlName": _Fil }], [() => SubnetIdStringList, { "xmlName": _SIu }], 0, 1, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }]]
];
var DescribeSubnetsResult$ = [
  3,
  n0,
  _DSRescri,
  0,
  [_NTe, _Subn],
  [[0, {
    "ec2QueryName": `NextToken`,
    "xmlName": _nTe
  }], [() => SubnetList, {
    "ec2QueryName": `SubnetSet`,
    "xmlName": _sSub
  }]]
];
var DescribeTransitGatewayAttachmentsRequest$ = [
  3,
  n0,
  _DTGAR,
  0,
  [_TGAIr, _Fi, _MR, _NTe, _DR],
  [64 | 0, [() => FilterList, { "xmlName": _Fil }], 1, 0, 2]
];
var DescribeTransitGatewayConnectsRequest$ = [
  3,
  n0,
  _DTGCRes,
  0,
  [_TGAIr, _Fi, _MR, _NTe, _DR],
  [64 | 0, [() => FilterList, { "xmlName": _Fil }], 1, 0, 2]
];
var DescribeTransitGatewayPeeringAttachmentsRequest$ = [
  3,
  n0,
  _DTGPARes,
  0,
  [_TGAIr, _Fi, _MR, _NTe, _DR],
  [64 | 0, [() => FilterList, { "xmlName": _Fil }], 1, 0, 2]
];
var DescribeTransitGatewayVpcAttachmentsRequest$ = [
  3,
  n0,
  _DTGVARes,
  0,
  [_TGAIr, _Fi, _MR, _NTe, _DR],
  [64 | 0, [() => FilterList, { "xmlName": _Fil }], 1, 0, 2]
];
var DiskInfo$ = [
  3,
  n0,
  _DIisk,
  0,
  [_SIGB, _Cou, _Ty],
  [[1, {
    "ec2QueryName": `SizeInGB`,
    "xmlName": _sIGB
  }], [1, {
    "ec2QueryName": `Count`,
    "xmlName": _cou
  }], [0, {
    "ec2QueryName": `Type`,
    "xmlName": _ty
  }]]
];
var EbsBlockDevice$ = [
  3,
  n0,
  _EBD,
  0,
  [_DOT, _Io, _SIn, _VSo, _VT, _KKI, _Th, _OA, _AZ, _Enc, _VIR, _AZI, _ECI],
  [[2, {
    "ec2QueryName": `DeleteOnTermination`,
    "xmlName": _dOT
  }], [1, {
    "ec2QueryName": `Iops`,
    "xmlName": _io
  }], [0, {
    "ec2QueryName": `SnapshotId`,
    "xmlName": _sIn
  }], [1, {
    "ec2QueryName": `VolumeSize`,
    "xmlName": _vSo
  }], [0, {
    "ec2QueryName": `VolumeType`,
    "xmlName": _vT
  }], [0, {
    "ec2QueryName": `KmsKeyId`,
    "xmlName": _kKI
  }], [1, {
    "ec2QueryName": `Throughput`,
    "xmlName": _th
  }], [0, {
    "ec2QueryName": `OutpostArn`,
    "xmlName": _oA
  }], [0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }], [2, {
    "ec2QueryName": `Encrypted`,
    "xmlName": _enc
  }], 1, 0, 1]
];
var EbsBlockDeviceResponse$ = [
  3,
  n0,
  _EBDR,
  0,
  [_Enc, _DOT, _Io, _Th, _KKI, _SIn, _VSo, _VT],
  [[2, {
    "ec2QueryName": `Encrypted`,
    "xmlName": _enc
  }], [2, {
    "ec2QueryName": `DeleteOnTermination`,
    "xmlName": _dOT
  }], [1, {
    "ec2QueryName": `Iops`,
    "xmlName": _io
  }], [1, {
    "ec2QueryName": `Throughput`,
    "xmlName": _th
  }], [0, {
    "ec2QueryName": `KmsKeyId`,
    "xmlName": _kKI
  }], [0, {
    "ec2QueryName": `SnapshotId`,
    "xmlName": _sIn
  }], [1, {
    "ec2QueryName": `VolumeSize`,
    "xmlName": _vSo
  }], [0, {
    "ec2QueryName": `VolumeType`,
    "xmlName": _vT
  }]]
];
var EbsCardInfo$ = [
  3,
  n0,
  _ECIb,
  0,
  [_ECI, _BBIM, _BTIMB, _BIa, _MBIM, _MTIMB, _MI],
  [[1, {
    "ec2QueryName": `EbsCardIndex`,
    "xmlName": _eCI
  }], [1, {
    "ec2QueryName": `BaselineBandwidthInMbps`,
    "xmlName": _bBIM
  }], [1, {
    "ec2QueryName": `BaselineThroughputInMBps`,
    "xmlName": _bTIMB
  }], [1, {
    "ec2QueryName": `BaselineIops`,
    "xmlName": _bIa
  }], [1, {
    "ec2QueryName": `MaximumBandwidthInMbps`,
    "xmlName": _mBIM
  }], [1, {
    "ec2QueryName": `MaximumThroughputInMBps`,
    "xmlName": _mTIMB
  }], [1, {
    "ec2QueryName": `MaximumIops`,
    "xmlName": _mI
  }]]
];
var EbsInfo$ = [
  3,
  n0,
  _EIb,
  0,
  [_EOS, _ESn, _EOI, _NS, _MEA, _ALT, _MEC, _ECb],
  [[0, {
    "ec2QueryName": `EbsOptimizedSupport`,
    "xmlName": _eOS
  }], [0, {
    "ec2QueryName": `EncryptionSupport`,
    "xmlName": _eSn
  }], [() => EbsOptimizedInfo$, {
    "ec2QueryName": `EbsOptimizedInfo`,
    "xmlName": _eOI
  }], [0, {
    "ec2QueryName": `NvmeSupport`,
    "xmlName": _nS
  }], [1, {
    "ec2QueryName": `MaximumEbsAttachments`,
    "xmlName": _mEA
  }], [0, {
    "ec2QueryName": `AttachmentLimitType`,
    "xmlName": _aLT
  }], [1, {
    "ec2QueryName": `MaximumEbsCards`,
    "xmlName": _mEC
  }], [() => EbsCardInfoList, {
    "ec2QueryName": `EbsCardSet`,
    "xmlName": _eCS
  }]]
];
var EbsInstanceBlockDevice$ = [
  3,
  n0,
  _EIBD,
  0,
  [_ATtt, _DOT, _Sta, _VIo, _ARss, _VOI, _Op, _ECI],
  [[4, {
    "ec2QueryName": `AttachTime`,
    "xmlName": _aTt
  }], [2, {
    "ec2QueryName": `DeleteOnTermination`,
    "xmlName": _dOT
  }], [0, {
    "ec2QueryName": `Status`,
    "xmlName": _sta
  }], [0, {
    "ec2QueryName": `VolumeId`,
    "xmlName": _vIo
  }], [0, {
    "ec2QueryName": `AssociatedResource`,
    "xmlName": _aRs
  }], [0, {
    "ec2QueryName": `VolumeOwnerId`,
    "xmlName": _vOI
  }], [() => OperatorResponse$, {
    "ec2QueryName": `Operator`,
    "xmlName": _ope
  }], [1, {
    "ec2QueryName": `EbsCardIndex`,
    "xmlName": _eCI
  }]]
];
var EbsOptimizedInfo$ = [
  3,
  n0,
  _EOI,
  0,
  [_BBIM, _BTIMB, _BIa, _MBIM, _MTIMB, _MI],
  [[1, {
    "ec2QueryName": `BaselineBandwidthInMbps`,
    "xmlName": _bBIM
  }], [1, {
    "ec2QueryName": `BaselineThroughputInMBps`,
    "xmlName": _bTIMB
  }], [1, {
    "ec2QueryName": `BaselineIops`,
    "xmlName": _bIa
  }], [1, {
    "ec2QueryName": `MaximumBandwidthInMbps`,
    "xmlName": _mBIM
  }], [1, {
    "ec2QueryName": `MaximumThroughputInMBps`,
    "xmlName": _mTIMB
  }], [1, {
    "ec2QueryName": `MaximumIops`,
    "xmlName": _mI
  }]]
];
var EfaInfo$ = [
  3,
  n0,
  _EIf,
  0,
  [_MEI],
  [[1, {
    "ec2QueryName": `MaximumEfaInterfaces`,
    "xmlName": _mEI
  }]]
];
var ElasticGpuAssociation$ = [
  3,
  n0,
  _EGA,
  0,
  [_EGIl, _EGAI, _EGAS, _EGAT],
  [[0, {
    "ec2QueryName": `ElasticGpuId`,
    "xmlName": _eGI
  }], [0, {
    "ec2QueryName": `ElasticGpuAssociationId`,
    "xmlName": _eGAI
  }], [0, {
    "ec2QueryName": `ElasticGpuAssociationState`,
    "xmlName": _eGAS
  }], [0, {
    "ec2QueryName": `ElasticGpuAssociationTime`,
    "xmlName": _eGAT
  }]]
];
var ElasticGpuSpecification$ = [
  3,
  n0,
  _EGSla,
  0,
  [_Ty],
  [0],
  1
];
var ElasticInferenceAcceleratorAssociation$ = [
  3,
  n0,
  _EIAA,
  0,
  [_EIAAl, _EIAAI, _EIAAS, _EIAAT],
  [[0, {
    "ec2QueryName": `ElasticInferenceAcceleratorArn`,
    "xmlName": _eIAA
  }], [0, {
    "ec2QueryName": `ElasticInferenceAcceleratorAssociationId`,
    "xmlName": _eIAAI
  }], [0, {
    "ec2QueryName": `ElasticInferenceAcceleratorAssociationState`,
    "xmlName": _eIAAS
  }], [4, {
    "ec2QueryName": `ElasticInferenceAcceleratorAssociationTime`,
    "xmlName": _eIAAT
  }]]
];
var EnaSrdSpecificationRequest$ = [
  3,
  n0,
  _ESSR,
  0,
  [_ESE, _ESUS],
  [2, () => EnaSrdUdpSpecificationRequest$]
];
var EnaSrdUdpSpecificationRequest$ = [
  3,
  n0,
  _ESUSR,
  0,
  [_ESUE],
  [2]
];
var EnclaveOptions$ = [
  3,
  n0,
  _EOn,
  0,
  [_En],
  [[2, {
    "ec2QueryName": `Enabled`,
    "xmlName": _en
  }]]
];
var Filter$ = [
  3,
  n0,
  _Fil,
  0,
  [_N, _Va],
  [0, [() => ValueStringList, { "xmlName": _V }]]
];
var FleetBlockDeviceMappingRequest$ = [
  3,
  n0,
  _FBDMR,
  0,
  [_DN, _VN, _Eb, _ND],
  [0, 0, () => FleetEbsBlockDeviceRequest$, 0]
];
var FleetCapacityReservationTargetRequest$ = [
  3,
  n0,
  _FCRTR,
  0,
  [_CRIa, _CRRGAa],
  [[() => CapacityReservationIdSet, { "xmlName": _CRI }], [() => CapacityReservationResourceGroupArnSet, { "xmlName": _CRRGA }]]
];
var FleetEbsBlockDeviceRequest$ = [
  3,
  n0,
  _FEBDR,
  0,
  [_Enc, _DOT, _Io, _Th, _KKI, _SIn, _VSo, _VT],
  [2, 2, 1, 1, 0, 0, 1, 0]
];
var FleetIamInstanceProfileSpecificationRequest$ = [
  3,
  n0,
  _FIIPSR,
  0,
  [_Ar, _N],
  [0, 0]
];
var FleetInstanceMetadataOptionsRequest$ = [
  3,
  n0,
  _FIMOR,
  0,
  [_HT, _HPRHL, _HE],
  [0, 1, 0]
];
var FleetLaunchTemplateConfigRequest$ = [
  3,
  n0,
  _FLTCR,
  0,
  [_LTS, _Ov],
  [[() => FleetLaunchTemplateSpecificationRequest$, 0], [() => FleetLaunchTemplateOverridesListRequest, 0]]
];
var FleetLaunchTemplateOverrides$ = [
  3,
  n0,
  _FLTO,
  0,
  [_IT, _MPax, _SIu, _AZ, _WCe, _Prio, _Pla, _IR, _IIm, _BDMl, _AZI],
  [[0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }], [0, {
    "ec2QueryName": `MaxPrice`,
    "xmlName": _mP
  }], [0, {
    "ec2QueryName": `SubnetId`,
    "xmlName": _sIu
  }], [0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }], [1, {
    "ec2QueryName": `WeightedCapacity`,
    "xmlName": _wC
  }], [1, {
    "ec2QueryName": `Priority`,
    "xmlName": _pri
  }], [() => PlacementResponse$, {
    "ec2QueryName": `Placement`,
    "xmlName": _pla
  }], [() => InstanceRequirements$, {
    "ec2QueryName": `InstanceRequirements`,
    "xmlName": _iR
  }], [0, {
    "ec2QueryName": `ImageId`,
    "xmlName": _iIma
  }], [() => BlockDeviceMappingResponseList, {
    "ec2QueryName": `BlockDeviceMappingSet`,
    "xmlName": _bDMS
  }], [0, {
    "ec2QueryName": `AvailabilityZoneId`,
    "xmlName": _aZI
  }]]
];
var FleetLaunchTemplateOverridesRequest$ = [
  3,
  n0,
  _FLTOR,
  0,
  [_IT, _MPax, _SIu, _AZ, _WCe, _Prio, _Pla, _KN, _BDMl, _IIP, _MO, _IR, _IIm, _AZI],
  [0, 0, 0, 0, 1, 1, [() => Placement$, 0], 0, [() => FleetBlockDeviceMappingRequestList, { "xmlName": _BDM }], () => FleetIamInstanceProfileSpecificationRequest$, () => FleetInstanceMetadataOptionsRequest$, [() => InstanceRequirementsRequest$, 0], 0, 0]
];
var FleetLaunchTemplateSpecification$ = [
  3,
  n0,
  _FLTS,
  0,
  [_LTI, _LTN, _Ver],
  [[0, {
    "ec2QueryName": `LaunchTemplateId`,
    "xmlName": _lTI
  }], [0, {
    "ec2QueryName": `LaunchTemplateName`,
    "xmlName": _lTN
  }], [0, {
    "ec2QueryName": `Version`,
    "xmlName": _ve
  }]]
];
var FleetLaunchTemplateSpecificationRequest$ = [
  3,
  n0,
  _FLTSR,
  0,
  [_LTI, _LTN, _Ver, _LTSUD],
  [0, 0, 0, [() => SensitiveUserData, 0]]
];
var FleetSpotCapacityRebalanceRequest$ = [
  3,
  n0,
  _FSCRR,
  0,
  [_RSep, _TDe],
  [0, 1]
];
var FleetSpotMaintenanceStrategiesRequest$ = [
  3,
  n0,
  _FSMSR,
  0,
  [_CRapa],
  [() => FleetSpotCapacityRebalanceRequest$]
];
var FpgaDeviceInfo$ = [
  3,
  n0,
  _FDI,
  0,
  [_N, _Man, _Cou, _MIe],
  [[0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }], [0, {
    "ec2QueryName": `Manufacturer`,
    "xmlName": _man
  }], [1, {
    "ec2QueryName": `Count`,
    "xmlName": _cou
  }], [() => FpgaDeviceMemoryInfo$, {
    "ec2QueryName": `MemoryInfo`,
    "xmlName": _mIe
  }]]
];
var FpgaDeviceMemoryInfo$ = [
  3,
  n0,
  _FDMI,
  0,
  [_SIMB],
  [[1, {
    "ec2QueryName": `SizeInMiB`,
    "xmlName": _sIMB
  }]]
];
var FpgaInfo$ = [
  3,
  n0,
  _FIpga,
  0,
  [_Fp, _TFMIMB],
  [[() => FpgaDeviceInfoList, {
    "ec2QueryName": `Fpgas`,
    "xmlName": _fp
  }], [1, {
    "ec2QueryName": `TotalFpgaMemoryInMiB`,
    "xmlName": _tFMIMB
  }]]
];
var GetSpotPlacementScoresRequest$ = [
  3,
  n0,
  _GSPSR,
  0,
  [_TCar, _ITnst, _TCUT, _SAZ, _RNe, _IRWM, _DR, _MR, _NTe, _ILZ],
  [1, [64 | 0, { "xmlName": _IT }], 0, 2, [64 | 0, { "xmlName": _RN }], [() => InstanceRequirementsWithMetadataRequest$, 0], 2, 1, 0, 2],
  1
];
var GpuDeviceInfo$ = [
  3,
  n0,
  _GDI,
  0,
  [_N, _Man, _Cou, _LGC, _GPS, _Wo, _MIe],
  [[0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }], [0, {
    "ec2QueryName": `Manufacturer`,
    "xmlName": _man
  }], [1, {
    "ec2QueryName": `Count`,
    "xmlName": _cou
  }], [1, {
    "ec2QueryName": `LogicalGpuCount`,
    "xmlName": _lGC
  }], [1, {
    "ec2QueryName": `GpuPartitionSize`,
    "xmlName": _gPS
  }], [() => WorkloadsList, {
    "ec2QueryName": `WorkloadSet`,
    "xmlName": _wS
  }], [() => GpuDeviceMemoryInfo$, {
    "ec2QueryName": `MemoryInfo`,
    "xmlName": _mIe
  }]]
];
var GpuDeviceMemoryInfo$ = [
  3,
  n0,
  _GDMI,
  0,
  [_SIMB],
  [[1, {
    "ec2QueryName": `SizeInMiB`,
    "xmlName": _sIMB
  }]]
];
var GpuInfo$ = [
  3,
  n0,
  _GIp,
  0,
  [_Gp, _TGMIMB],
  [[() => GpuDeviceInfoList, {
    "ec2QueryName": `Gpus`,
    "xmlName": _gp
  }], [1, {
    "ec2QueryName": `TotalGpuMemoryInMiB`,
    "xmlName": _tGMIMB
  }]]
];
var GroupIdentifier$ = [
  3,
  n0,
  _GIrou,
  0,
  [_GIr, _GN],
  [[0, {
    "ec2QueryName": `GroupId`,
    "xmlName": _gIr
  }], [0, {
    "ec2QueryName": `GroupName`,
    "xmlName": _gN
  }]]
];
var HibernationOptions$ = [
  3,
  n0,
  _HO,
  0,
  [_Conf],
  [[2, {
    "ec2QueryName": `Configured`,
    "xmlName": _conf
  }]]
];
var HostCpuOptionsRequest$ = [
  3,
  n0,
  _HCOR,
  0,
  [_ASSm],
  [0]
];
var IamInstanceProfile$ = [
  3,
  n0,
  _IIP,
  0,
  [_Ar, _I],
  [[0, {
    "ec2QueryName": `Arn`,
    "xmlName": _ar
  }], [0, {
    "ec2QueryName": `Id`,
    "xmlName": _i
  }]]
];
var Image$ = [
  3,
  n0,
  _Ima,
  0,
  [_PDl, _UO, _BDMl, _De, _ESna, _Hy, _IOA, _N, _RDN, _RDT, _SNS, _SRt, _T, _VTir, _BM, _TSp, _DTe, _ISmd, _SIIo, _DPer, _LLT, _IAm, _SII, _SIRo, _FTE, _PSPN, _IW, _SRc, _ITSn, _IIm, _IL, _St, _OI, _CDr, _Pu, _PCro, _Arc, _ITm, _KI, _RIa, _Pl],
  [[0, {
    "ec2QueryName": `PlatformDetails`,
    "xmlName": _pDl
  }], [0, {
    "ec2QueryName": `UsageOperation`,
    "xmlName": _uO
  }], [() => BlockDeviceMappingList, {
    "ec2QueryName": `BlockDeviceMapping`,
    "xmlName": _bDM
  }], [0, {
    "ec2QueryName": `Description`,
    "xmlName": _de
  }], [2, {
    "ec2QueryName": `EnaSupport`,
    "xmlName": _eSna
  }], [0, {
    "ec2QueryName": `Hypervisor`,
    "xmlName": _h
  }], [0, {
    "ec2QueryName": `ImageOwnerAlias`,
    "xmlName": _iOA
  }], [0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }], [0, {
    "ec2QueryName": `RootDeviceName`,
    "xmlName": _rDN
  }], [0, {
    "ec2QueryName": `RootDeviceType`,
    "xmlName": _rDT
  }], [0, {
    "ec2QueryName": `SriovNetSupport`,
    "xmlName": _sNSr
  }], [() => StateReason$, {
    "ec2QueryName": `StateReason`,
    "xmlName": _sRt
  }], [() => TagList, {
    "ec2QueryName": `TagSet`,
    "xmlName": _tS
  }], [0, {
    "ec2QueryName": `VirtualizationType`,
    "xmlName": _vTi
  }], [0, {
    "ec2QueryName": `BootMode`,
    "xmlName": _bM
  }], [0, {
    "ec2QueryName": `TpmSupport`,
    "xmlName": _tSp
  }], [0, {
    "ec2QueryName": `DeprecationTime`,
    "xmlName": _dTe
  }], [0, {
    "ec2QueryName": `ImdsSupport`,
    "xmlName": _iSmd
  }], [0, {
    "ec2QueryName": `SourceInstanceId`,
    "xmlName": _sII
  }], [0, {
    "ec2QueryName": `DeregistrationProtection`,
    "xmlName": _dPe
  }], [0, {
    "ec2QueryName": `LastLaunchedTime`,
    "xmlName": _lLT
  }], [2, {
    "ec2QueryName": `ImageAllowed`,
    "xmlName": _iAm
  }], [0, {
    "ec2QueryName": `SourceImageId`,
    "xmlName": _sIIo
  }], [0, {
    "ec2QueryName": `SourceImageRegion`,
    "xmlName": _sIR
  }], [2, {
    "ec2QueryName": `FreeTierEligible`,
    "xmlName": _fTE
  }], [0, {
    "ec2QueryName": `PublicSsmParameterName`,
    "xmlName": _pSPN
  }], [() => ImageWatermarkList, {
    "ec2QueryName": `ImageWatermarkSet`,
    "xmlName": _iWS
  }], [() => ScanResults$, {
    "ec2QueryName": `ScanResults`,
    "xmlName": _sRc
  }], [() => InstanceTypeSpecification$, {
    "ec2QueryName": `InstanceTypeSpecification`,
    "xmlName": _iTSn
  }], [0, {
    "ec2QueryName": `ImageId`,
    "xmlName": _iIma
  }], [0, {
    "ec2QueryName": `ImageLocation`,
    "xmlName": _iL
  }], [0, {
    "ec2QueryName": `ImageState`,
    "xmlName": _iSmag
  }], [0, {
    "ec2QueryName": `ImageOwnerId`,
    "xmlName": _iOI
  }], [0, {
    "ec2QueryName": `CreationDate`,
    "xmlName": _cDr
  }], [2, {
    "ec2QueryName": `IsPublic`,
    "xmlName": _iPs
  }], [() => ProductCodeList, {
    "ec2QueryName": `ProductCodes`,
    "xmlName": _pC
  }], [0, {
    "ec2QueryName": `Architecture`,
    "xmlName": _arc
  }], [0, {
    "ec2QueryName": `ImageType`,
    "xmlName": _iTm
  }], [0, {
    "ec2QueryName": `KernelId`,
    "xmlName": _kI
  }], [0, {
    "ec2QueryName": `RamdiskId`,
    "xmlName": _rIa
  }], [0, {
    "ec2QueryName": `Platform`,
    "xmlName": _pl
  }]]
];
var ImageWatermark$ = [
  3,
  n0,
  _IWm,
  0,
  [_WK, _SIRo, _SII, _SICT, _WCT],
  [[0, {
    "ec2QueryName": `WatermarkKey`,
    "xmlName": _wK
  }], [0, {
    "ec2QueryName": `SourceImageRegion`,
    "xmlName": _sIR
  }], [0, {
    "ec2QueryName": `SourceImageId`,
    "xmlName": _sIIo
  }], [4, {
    "ec2QueryName": `SourceImageCreationTime`,
    "xmlName": _sICT
  }], [4, {
    "ec2QueryName": `WatermarkCreationTime`,
    "xmlName": _wCT
  }]]
];
var InferenceAcceleratorInfo$ = [
  3,
  n0,
  _IAIn,
  0,
  [_Acc, _TIMIMB],
  [[() => InferenceDeviceInfoList, {
    "ec2QueryName": `Accelerators`,
    "xmlName": _acc
  }], [1, {
    "ec2QueryName": `TotalInferenceMemoryInMiB`,
    "xmlName": _tIMIMB
  }]]
];
var InferenceDeviceInfo$ = [
  3,
  n0,
  _IDI,
  0,
  [_Cou, _N, _Man, _MIe],
  [[1, {
    "ec2QueryName": `Count`,
    "xmlName": _cou
  }], [0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }], [0, {
    "ec2QueryName": `Manufacturer`,
    "xmlName": _man
  }], [() => InferenceDeviceMemoryInfo$, {
    "ec2QueryName": `MemoryInfo`,
    "xmlName": _mIe
  }]]
];
var InferenceDeviceMemoryInfo$ = [
  3,
  n0,
  _IDMI,
  0,
  [_SIMB],
  [[1, {
    "ec2QueryName": `SizeInMiB`,
    "xmlName": _sIMB
  }]]
];
var Instance$ = [
  3,
  n0,
  _In,
  0,
  [_Arc, _BDMl, _CT, _EO, _ESna, _Hy, _IIP, _ILn, _EGAl, _EIAAla, _NIet, _OA, _RDN, _RDT, _SGe, _SDC, _SIRI, _SNS, _SRt, _T, _VTir, _CO, _CBI, _CRI, _CRSa, _HO, _Lic, _MO, _EOn, _BM, _PDl, _UO, _UOUT, _PDNO, _IApv, _TSp, _MOa, _CIBM, _NPO, _Op, _SIec, _II, _IIm, _St, _PDN, _PDNub, _STR, _KN, _ALI, _PCro, _IT, _LTau, _Pla, _KI, _RIa, _Pl, _Mon, _SIu, _VI, _PIAr, _PIAu],
  [[0, {
    "ec2QueryName": `Architecture`,
    "xmlName": _arc
  }], [() => InstanceBlockDeviceMappingList, {
    "ec2QueryName": `BlockDeviceMapping`,
    "xmlName": _bDM
  }], [0, {
    "ec2QueryName": `ClientToken`,
    "xmlName": _cT
  }], [2, {
    "ec2QueryName": `EbsOptimized`,
    "xmlName": _eO
  }], [2, {
    "ec2QueryName": `EnaSupport`,
    "xmlName": _eSna
  }], [0, {
    "ec2QueryName": `Hypervisor`,
    "xmlName": _h
  }], [() => IamInstanceProfile$, {
    "ec2QueryName": `IamInstanceProfile`,
    "xmlName": _iIP
  }], [0, {
    "ec2QueryName": `InstanceLifecycle`,
    "xmlName": _iLn
  }], [() => ElasticGpuAssociationList, {
    "ec2QueryName": `ElasticGpuAssociationSet`,
    "xmlName": _eGASl
  }], [() => ElasticInferenceAcceleratorAssociationList, {
    "ec2QueryName": `ElasticInferenceAcceleratorAssociationSet`,
    "xmlName": _eIAASl
  }], [() => InstanceNetworkInterfaceList, {
    "ec2QueryName": `NetworkInterfaceSet`,
    "xmlName": _nIS
  }], [0, {
    "ec2QueryName": `OutpostArn`,
    "xmlName": _oA
  }], [0, {
    "ec2QueryName": `RootDeviceName`,
    "xmlName": _rDN
  }], [0, {
    "ec2QueryName": `RootDeviceType`,
    "xmlName": _rDT
  }], [() => GroupIdentifierList, {
    "ec2QueryName": `GroupSet`,
    "xmlName": _gSr
  }], [2, {
    "ec2QueryName": `SourceDestCheck`,
    "xmlName": _sDC
  }], [0, {
    "ec2QueryName": `SpotInstanceRequestId`,
    "xmlName": _sIRI
  }], [0, {
    "ec2QueryName": `SriovNetSupport`,
    "xmlName": _sNSr
  }], [() => StateReason$, {
    "ec2QueryName": `StateReason`,
    "xmlName": _sRt
  }], [() => TagList, {
    "ec2QueryName": `TagSet`,
    "xmlName": _tS
  }], [0, {
    "ec2QueryName": `VirtualizationType`,
    "xmlName": _vTi
  }], [() => CpuOptions$, {
    "ec2QueryName": `CpuOptions`,
    "xmlName": _cO
  }], [0, {
    "ec2QueryName": `CapacityBlockId`,
    "xmlName": _cBI
  }], [0, {
    "ec2QueryName": `CapacityReservationId`,
    "xmlName": _cRI
  }], [() => CapacityReservationSpecificationResponse$, {
    "ec2QueryName": `CapacityReservationSpecification`,
    "xmlName": _cRSa
  }], [() => HibernationOptions$, {
    "ec2QueryName": `HibernationOptions`,
    "xmlName": _hO
  }], [() => LicenseList, {
    "ec2QueryName": `LicenseSet`,
    "xmlName": _lSic
  }], [() => InstanceMetadataOptionsResponse$, {
    "ec2QueryName": `MetadataOptions`,
    "xmlName": _mO
  }], [() => EnclaveOptions$, {
    "ec2QueryName": `EnclaveOptions`,
    "xmlName": _eOn
  }], [0, {
    "ec2QueryName": `BootMode`,
    "xmlName": _bM
  }], [0, {
    "ec2QueryName": `PlatformDetails`,
    "xmlName": _pDl
  }], [0, {
    "ec2QueryName": `UsageOperation`,
    "xmlName": _uO
  }], [4, {
    "ec2QueryName": `UsageOperationUpdateTime`,
    "xmlName": _uOUT
  }], [() => PrivateDnsNameOptionsResponse$, {
    "ec2QueryName": `PrivateDnsNameOptions`,
    "xmlName": _pDNO
  }], [0, {
    "ec2QueryName": `Ipv6Address`,
    "xmlName": _iApv
  }], [0, {
    "ec2QueryName": `TpmSupport`,
    "xmlName": _tSp
  }], [() => InstanceMaintenanceOptions$, {
    "ec2QueryName": `MaintenanceOptions`,
    "xmlName": _mOa
  }], [0, {
    "ec2QueryName": `CurrentInstanceBootMode`,
    "xmlName": _cIBM
  }], [() => InstanceNetworkPerformanceOptions$, {
    "ec2QueryName": `NetworkPerformanceOptions`,
    "xmlName": _nPO
  }], [() => OperatorResponse$, {
    "ec2QueryName": `Operator`,
    "xmlName": _ope
  }], [() => InstanceSecondaryInterfaceList, {
    "ec2QueryName": `SecondaryInterfaceSet`,
    "xmlName": _sISe
  }], [0, {
    "ec2QueryName": `InstanceId`,
    "xmlName": _iI
  }], [0, {
    "ec2QueryName": `ImageId`,
    "xmlName": _iIma
  }], [() => InstanceState$, {
    "ec2QueryName": `InstanceState`,
    "xmlName": _iSnst
  }], [0, {
    "ec2QueryName": `PrivateDnsName`,
    "xmlName": _pDNr
  }], [0, {
    "ec2QueryName": `DnsName`,
    "xmlName": _dNn
  }], [0, {
    "ec2QueryName": `Reason`,
    "xmlName": _re
  }], [0, {
    "ec2QueryName": `KeyName`,
    "xmlName": _kN
  }], [1, {
    "ec2QueryName": `AmiLaunchIndex`,
    "xmlName": _aLI
  }], [() => ProductCodeList, {
    "ec2QueryName": `ProductCodes`,
    "xmlName": _pC
  }], [0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }], [4, {
    "ec2QueryName": `LaunchTime`,
    "xmlName": _lTau
  }], [() => Placement$, {
    "ec2QueryName": `Placement`,
    "xmlName": _pla
  }], [0, {
    "ec2QueryName": `KernelId`,
    "xmlName": _kI
  }], [0, {
    "ec2QueryName": `RamdiskId`,
    "xmlName": _rIa
  }], [0, {
    "ec2QueryName": `Platform`,
    "xmlName": _pl
  }], [() => Monitoring$, {
    "ec2QueryName": `Monitoring`,
    "xmlName": _mon
  }], [0, {
    "ec2QueryName": `SubnetId`,
    "xmlName": _sIu
  }], [0, {
    "ec2QueryName": `VpcId`,
    "xmlName": _vI
  }], [0, {
    "ec2QueryName": `PrivateIpAddress`,
    "xmlName": _pIAr
  }], [0, {
    "ec2QueryName": `IpAddress`,
    "xmlName": _iAp
  }]]
];
var InstanceAttachmentEnaSrdSpecification$ = [
  3,
  n0,
  _IAESS,
  0,
  [_ESE, _ESUS],
  [[2, {
    "ec2QueryName": `EnaSrdEnabled`,
    "xmlName": _eSE
  }], [() => InstanceAttachmentEnaSrdUdpSpecification$, {
    "ec2QueryName": `EnaSrdUdpSpecification`,
    "xmlName": _eSUS
  }]]
];
var InstanceAttachmentEnaSrdUdpSpecification$ = [
  3,
  n0,
  _IAESUS,
  0,
  [_ESUE],
  [[2, {
    "ec2QueryName": `EnaSrdUdpEnabled`,
    "xmlName": _eSUE
  }]]
];
var InstanceBlockDeviceMapping$ = [
  3,
  n0,
  _IBDM,
  0,
  [_DN, _Eb],
  [[0, {
    "ec2QueryName": `DeviceName`,
    "xmlName": _dN
  }], [() => EbsInstanceBlockDevice$, {
    "ec2QueryName": `Ebs`,
    "xmlName": _eb
  }]]
];
var InstanceIpv4Prefix$ = [
  3,
  n0,
  _IIPn,
  0,
  [_IPpvre],
  [[0, {
    "ec2QueryName": `Ipv4Prefix`,
    "xmlName": _iPpv
  }]]
];
var InstanceIpv6Address$ = [
  3,
  n0,
  _IIA,
  0,
  [_IApv, _IPIs],
  [[0, {
    "ec2QueryName": `Ipv6Address`,
    "xmlName": _iApv
  }], [2, {
    "ec2QueryName": `IsPrimaryIpv6`,
    "xmlName": _iPIs
  }]]
];
var InstanceIpv6AddressRequest$ = [
  3,
  n0,
  _IIAR,
  0,
  [_IApv],
  [0]
];
var InstanceIpv6Prefix$ = [
  3,
  n0,
  _IIPns,
  0,
  [_IPpv],
  [[0, {
    "ec2QueryName": `Ipv6Prefix`,
    "xmlName": _iPpvr
  }]]
];
var InstanceMaintenanceOptions$ = [
  3,
  n0,
  _IMO,
  0,
  [_ARuto, _RMe],
  [[0, {
    "ec2QueryName": `AutoRecovery`,
    "xmlName": _aRut
  }], [0, {
    "ec2QueryName": `RebootMigration`,
    "xmlName": _rMe
  }]]
];
var InstanceMetadataOptionsResponse$ = [
  3,
  n0,
  _IMORnst,
  0,
  [_St, _HT, _HPRHL, _HE, _HPI, _IMT],
  [[0, {
    "ec2QueryName": `State`,
    "xmlName": _st
  }], [0, {
    "ec2QueryName": `HttpTokens`,
    "xmlName": _hT
  }], [1, {
    "ec2QueryName": `HttpPutResponseHopLimit`,
    "xmlName": _hPRHL
  }], [0, {
    "ec2QueryName": `HttpEndpoint`,
    "xmlName": _hE
  }], [0, {
    "ec2QueryName": `HttpProtocolIpv6`,
    "xmlName": _hPI
  }], [0, {
    "ec2QueryName": `InstanceMetadataTags`,
    "xmlName": _iMT
  }]]
];
var InstanceNetworkInterface$ = [
  3,
  n0,
  _INI,
  0,
  [_Ass, _Att, _De, _G, _IA, _MAa, _NII, _OI, _PDN, _PIAr, _PIAri, _SDC, _Sta, _SIu, _VI, _ITnt, _IPpvr, _IPp, _CTC, _Op],
  [[() => InstanceNetworkInterfaceAssociation$, {
    "ec2QueryName": `Association`,
    "xmlName": _ass
  }], [() => InstanceNetworkInterfaceAttachment$, {
    "ec2QueryName": `Attachment`,
    "xmlName": _at
  }], [0, {
    "ec2QueryName": `Description`,
    "xmlName": _de
  }], [() => GroupIdentifierList, {
    "ec2QueryName": `GroupSet`,
    "xmlName": _gSr
  }], [() => InstanceIpv6AddressList, {
    "ec2QueryName": `Ipv6AddressesSet`,
    "xmlName": _iASp
  }], [0, {
    "ec2QueryName": `MacAddress`,
    "xmlName": _mAa
  }], [0, {
    "ec2QueryName": `NetworkInterfaceId`,
    "xmlName": _nII
  }], [0, {
    "ec2QueryName": `OwnerId`,
    "xmlName": _oI
  }], [0, {
    "ec2QueryName": `PrivateDnsName`,
    "xmlName": _pDNr
  }], [0, {
    "ec2QueryName": `PrivateIpAddress`,
    "xmlName": _pIAr
  }], [() => InstancePrivateIpAddressList, {
    "ec2QueryName": `PrivateIpAddressesSet`,
    "xmlName": _pIAS
  }], [2, {
    "ec2QueryName": `SourceDestCheck`,
    "xmlName": _sDC
  }], [0, {
    "ec2QueryName": `Status`,
    "xmlName": _sta
  }], [0, {
    "ec2QueryName": `SubnetId`,
    "xmlName": _sIu
  }], [0, {
    "ec2QueryName": `VpcId`,
    "xmlName": _vI
  }], [0, {
    "ec2QueryName": `InterfaceType`,
    "xmlName": _iTnt
  }], [() => InstanceIpv4PrefixList, {
    "ec2QueryName": `Ipv4PrefixSet`,
    "xmlName": _iPSpvr
  }], [() => InstanceIpv6PrefixList, {
    "ec2QueryName": `Ipv6PrefixSet`,
    "xmlName": _iPSpvre
  }], [() => ConnectionTrackingSpecificationResponse$, {
    "ec2QueryName": `ConnectionTrackingConfiguration`,
    "xmlName": _cTC
  }], [() => OperatorResponse$, {
    "ec2QueryName": `Operator`,
    "xmlName": _ope
  }]]
];
var InstanceNetworkInterfaceAssociation$ = [
  3,
  n0,
  _INIA,
  0,
  [_CI, _COI, _IOI, _PDNub, _PI],
  [[0, {
    "ec2QueryName": `CarrierIp`,
    "xmlName": _cI
  }], [0, {
    "ec2QueryName": `CustomerOwnedIp`,
    "xmlName": _cOI
  }], [0, {
    "ec2QueryName": `IpOwnerId`,
    "xmlName": _iOIp
  }], [0, {
    "ec2QueryName": `PublicDnsName`,
    "xmlName": _pDNu
  }], [0, {
    "ec2QueryName": `PublicIp`,
    "xmlName": _pI
  }]]
];
var InstanceNetworkInterfaceAttachment$ = [
  3,
  n0,
  _INIAn,
  0,
  [_ATtt, _AItt, _DOT, _DI, _Sta, _NCI, _ESS, _EQC],
  [[4, {
    "ec2QueryName": `AttachTime`,
    "xmlName": _aTt
  }], [0, {
    "ec2QueryName": `AttachmentId`,
    "xmlName": _aIt
  }], [2, {
    "ec2QueryName": `DeleteOnTermination`,
    "xmlName": _dOT
  }], [1, {
    "ec2QueryName": `DeviceIndex`,
    "xmlName": _dI
  }], [0, {
    "ec2QueryName": `Status`,
    "xmlName": _sta
  }], [1, {
    "ec2QueryName": `NetworkCardIndex`,
    "xmlName": _nCI
  }], [() => InstanceAttachmentEnaSrdSpecification$, {
    "ec2QueryName": `EnaSrdSpecification`,
    "xmlName": _eSS
  }], [1, {
    "ec2QueryName": `EnaQueueCount`,
    "xmlName": _eQC
  }]]
];
var InstanceNetworkPerformanceOptions$ = [
  3,
  n0,
  _INPO,
  0,
  [_BW],
  [[0, {
    "ec2QueryName": `BandwidthWeighting`,
    "xmlName": _bW
  }]]
];
var InstancePrivateIpAddress$ = [
  3,
  n0,
  _IPIA,
  0,
  [_Ass, _Prim, _PDN, _PIAr],
  [[() => InstanceNetworkInterfaceAssociation$, {
    "ec2QueryName": `Association`,
    "xmlName": _ass
  }], [2, {
    "ec2QueryName": `Primary`,
    "xmlName": _prim
  }], [0, {
    "ec2QueryName": `PrivateDnsName`,
    "xmlName": _pDNr
  }], [0, {
    "ec2QueryName": `PrivateIpAddress`,
    "xmlName": _pIAr
  }]]
];
var InstanceRequirements$ = [
  3,
  n0,
  _IR,
  0,
  [_VCC, _MMB, _CM, _MGBPVC, _EITxc, _IGns, _SMPPOLP, _ODMPPOLP, _BMa, _BP, _RHS, _NIC, _LSo, _LST, _TLSGB, _BEBM, _ATc, _AC, _AMc, _ANcc, _ATMMB, _NBGe, _AIT, _MSPAPOOODP, _BPF, _REIT],
  [[() => VCpuCountRange$, {
    "ec2QueryName": `VCpuCount`,
    "xmlName": _vCC
  }], [() => MemoryMiB$, {
    "ec2QueryName": `MemoryMiB`,
    "xmlName": _mMB
  }], [() => CpuManufacturerSet, {
    "ec2QueryName": `CpuManufacturerSet`,
    "xmlName": _cMSp
  }], [() => MemoryGiBPerVCpu$, {
    "ec2QueryName": `MemoryGiBPerVCpu`,
    "xmlName": _mGBPVC
  }], [() => ExcludedInstanceTypeSet, {
    "ec2QueryName": `ExcludedInstanceTypeSet`,
    "xmlName": _eITSx
  }], [() => InstanceGenerationSet, {
    "ec2QueryName": `InstanceGenerationSet`,
    "xmlName": _iGSn
  }], [1, {
    "ec2QueryName": `SpotMaxPricePercentageOverLowestPrice`,
    "xmlName": _sMPPOLP
  }], [1, {
    "ec2QueryName": `OnDemandMaxPricePercentageOverLowestPrice`,
    "xmlName": _oDMPPOLP
  }], [0, {
    "ec2QueryName": `BareMetal`,
    "xmlName": _bMa
  }], [0, {
    "ec2QueryName": `BurstablePerformance`,
    "xmlName": _bP
  }], [2, {
    "ec2QueryName": `RequireHibernateSupport`,
    "xmlName": _rHS
  }], [() => NetworkInterfaceCount$, {
    "ec2QueryName": `NetworkInterfaceCount`,
    "xmlName": _nIC
  }], [0, {
    "ec2QueryName": `LocalStorage`,
    "xmlName": _lSo
  }], [() => LocalStorageTypeSet, {
    "ec2QueryName": `LocalStorageTypeSet`,
    "xmlName": _lSTS
  }], [() => TotalLocalStorageGB$, {
    "ec2QueryName": `TotalLocalStorageGB`,
    "xmlName": _tLSGB
  }], [() => BaselineEbsBandwidthMbps$, {
    "ec2QueryName": `BaselineEbsBandwidthMbps`,
    "xmlName": _bEBM
  }], [() => AcceleratorTypeSet, {
    "ec2QueryName": `AcceleratorTypeSet`,
    "xmlName": _aTSc
  }], [() => AcceleratorCount$, {
    "ec2QueryName": `AcceleratorCount`,
    "xmlName": _aCc
  }], [() => AcceleratorManufacturerSet, {
    "ec2QueryName": `AcceleratorManufacturerSet`,
    "xmlName": _aMS
  }], [() => AcceleratorNameSet, {
    "ec2QueryName": `AcceleratorNameSet`,
    "xmlName": _aNS
  }], [() => AcceleratorTotalMemoryMiB$, {
    "ec2QueryName": `AcceleratorTotalMemoryMiB`,
    "xmlName": _aTMMB
  }], [() => NetworkBandwidthGbps$, {
    "ec2QueryName": `NetworkBandwidthGbps`,
    "xmlName": _nBGe
  }], [() => AllowedInstanceTypeSet, {
    "ec2QueryName": `AllowedInstanceTypeSet`,
    "xmlName": _aITS
  }], [1, {
    "ec2QueryName": `MaxSpotPriceAsPercentageOfOptimalOnDemandPrice`,
    "xmlName": _mSPAPOOODP
  }], [() => BaselinePerformanceFactors$, {
    "ec2QueryName": `BaselinePerformanceFactors`,
    "xmlName": _bPF
  }], [2, {
    "ec2QueryName": `RequireEncryptionInTransit`,
    "xmlName": _rEIT
  }]]
];
var InstanceRequirementsRequest$ = [
  3,
  n0,
  _IRR,
  0,
  [_VCC, _MMB, _CM, _MGBPVC, _EITxc, _IGns, _SMPPOLP, _ODMPPOLP, _BMa, _BP, _RHS, _NIC, _LSo, _LST, _TLSGB, _BEBM, _ATc, _AC, _AMc, _ANcc, _ATMMB, _NBGe, _AIT, _MSPAPOOODP, _BPF, _REIT],
  [() => VCpuCountRangeRequest$, () => MemoryMiBRequest$, [() => CpuManufacturerSet, { "xmlName": _CMp }], () => MemoryGiBPerVCpuRequest$, [() => ExcludedInstanceTypeSet, { "xmlName": _EITxcl }], [() => InstanceGenerationSet, { "xmlName": _IGnst }], 1, 1, 0, 0, 2, () => NetworkInterfaceCountRequest$, 0, [() => LocalStorageTypeSet, { "xmlName": _LSTo }], () => TotalLocalStorageGBRequest$, () => BaselineEbsBandwidthMbpsRequest$, [() => AcceleratorTypeSet, { "xmlName": _ATcc }], () => AcceleratorCountRequest$, [() => AcceleratorManufacturerSet, { "xmlName": _AMcc }], [() => AcceleratorNameSet, { "xmlName": _ANcce }], () => AcceleratorTotalMemoryMiBRequest$, () => NetworkBandwidthGbpsRequest$, [() => AllowedInstanceTypeSet, { "xmlName": _AITl }], 1, [() => BaselinePerformanceFactorsRequest$, 0], 2],
  2
];
var InstanceRequirementsWithMetadataRequest$ = [
  3,
  n0,
  _IRWMR,
  0,
  [_ATr, _VTi, _IR],
  [[() => ArchitectureTypeSet, { "xmlName": _ATrc }], [() => VirtualizationTypeSet, { "xmlName": _VTir }], [() => InstanceRequirementsRequest$, 0]]
];
var InstanceSecondaryInterface$ = [
  3,
  n0,
  _ISIn,
  0,
  [_Att, _MAa, _SIIec, _OI, _PIAri, _SDC, _Sta, _SSIe, _SNI, _ITnt],
  [[() => InstanceSecondaryInterfaceAttachment$, {
    "ec2QueryName": `Attachment`,
    "xmlName": _at
  }], [0, {
    "ec2QueryName": `MacAddress`,
    "xmlName": _mAa
  }], [0, {
    "ec2QueryName": `SecondaryInterfaceId`,
    "xmlName": _sIIe
  }], [0, {
    "ec2QueryName": `OwnerId`,
    "xmlName": _oI
  }], [() => InstanceSecondaryInterfacePrivateIpAddressList, {
    "ec2QueryName": `PrivateIpAddressSet`,
    "xmlName": _pIASr
  }], [2, {
    "ec2QueryName": `SourceDestCheck`,
    "xmlName": _sDC
  }], [0, {
    "ec2QueryName": `Status`,
    "xmlName": _sta
  }], [0, {
    "ec2QueryName": `SecondarySubnetId`,
    "xmlName": _sSI
  }], [0, {
    "ec2QueryName": `SecondaryNetworkId`,
    "xmlName": _sNI
  }], [0, {
    "ec2QueryName": `InterfaceType`,
    "xmlName": _iTnt
  }]]
];
var InstanceSecondaryInterfaceAttachment$ = [
  3,
  n0,
  _ISIA,
  0,
  [_ATtt, _AItt, _DOT, _DI, _Sta, _NCI],
  [[4, {
    "ec2QueryName": `AttachTime`,
    "xmlName": _aTt
  }], [0, {
    "ec2QueryName": `AttachmentId`,
    "xmlName": _aIt
  }], [2, {
    "ec2QueryName": `DeleteOnTermination`,
    "xmlName": _dOT
  }], [1, {
    "ec2QueryName": `DeviceIndex`,
    "xmlName": _dI
  }], [0, {
    "ec2QueryName": `Status`,
    "xmlName": _sta
  }], [1, {
    "ec2QueryName": `NetworkCardIndex`,
    "xmlName": _nCI
  }]]
];
var InstanceSecondaryInterfacePrivateIpAddress$ = [
  3,
  n0,
  _ISIPIA,
  0,
  [_PIAr],
  [[0, {
    "ec2QueryName": `PrivateIpAddress`,
    "xmlName": _pIAr
  }]]
];
var InstanceState$ = [
  3,
  n0,
  _ISnsta,
  0,
  [_Co, _N],
  [[1, {
    "ec2QueryName": `Code`,
    "xmlName": _co
  }], [0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }]]
];
var InstanceStateChange$ = [
  3,
  n0,
  _ISC,
  0,
  [_II, _CSu, _PSr],
  [[0, {
    "ec2QueryName": `InstanceId`,
    "xmlName": _iI
  }], [() => InstanceState$, {
    "ec2QueryName": `CurrentState`,
    "xmlName": _cSu
  }], [() => InstanceState$, {
    "ec2QueryName": `PreviousState`,
    "xmlName": _pSr
  }]]
];
var InstanceStorageInfo$ = [
  3,
  n0,
  _ISIns,
  0,
  [_TSIGB, _Dis, _NS, _ESn],
  [[1, {
    "ec2QueryName": `TotalSizeInGB`,
    "xmlName": _tSIGB
  }], [() => DiskInfoList, {
    "ec2QueryName": `Disks`,
    "xmlName": _dis
  }], [0, {
    "ec2QueryName": `NvmeSupport`,
    "xmlName": _nS
  }], [0, {
    "ec2QueryName": `EncryptionSupport`,
    "xmlName": _eSn
  }]]
];
var InstanceTypeInfo$ = [
  3,
  n0,
  _ITIn,
  0,
  [_IT, _CGur, _FTE, _SUC, _SRDT, _SVT, _BMa, _Hy, _PIro, _VCIpu, _MIe, _ISSn, _ISIns, _EIb, _NIetw, _GIp, _FIpga, _PGIl, _IAIn, _HS, _BPS, _DHS, _ARS, _SBM, _NES, _NTS, _NTI, _MAIe, _NIeu, _PSh, _RMS, _SIRu],
  [[0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }], [2, {
    "ec2QueryName": `CurrentGeneration`,
    "xmlName": _cGur
  }], [2, {
    "ec2QueryName": `FreeTierEligible`,
    "xmlName": _fTE
  }], [() => UsageClassTypeList, {
    "ec2QueryName": `SupportedUsageClasses`,
    "xmlName": _sUC
  }], [() => RootDeviceTypeList, {
    "ec2QueryName": `SupportedRootDeviceTypes`,
    "xmlName": _sRDT
  }], [() => VirtualizationTypeList, {
    "ec2QueryName": `SupportedVirtualizationTypes`,
    "xmlName": _sVT
  }], [2, {
    "ec2QueryName": `BareMetal`,
    "xmlName": _bMa
  }], [0, {
    "ec2QueryName": `Hypervisor`,
    "xmlName": _h
  }], [() => ProcessorInfo$, {
    "ec2QueryName": `ProcessorInfo`,
    "xmlName": _pIr
  }], [() => VCpuInfo$, {
    "ec2QueryName": `VCpuInfo`,
    "xmlName": _vCIp
  }], [() => MemoryInfo$, {
    "ec2QueryName": `MemoryInfo`,
    "xmlName": _mIe
  }], [2, {
    "ec2QueryName": `InstanceStorageSupported`,
    "xmlName": _iSSn
  }], [() => InstanceStorageInfo$, {
    "ec2QueryName": `InstanceStorageInfo`,
    "xmlName": _iSI
  }], [() => EbsInfo$, {
    "ec2QueryName": `EbsInfo`,
    "xmlName": _eIb
  }], [() => NetworkInfo$, {
    "ec2QueryName": `NetworkInfo`,
    "xmlName": _nIet
  }], [() => GpuInfo$, {
    "ec2QueryName": `GpuInfo`,
    "xmlName": _gIp
  }], [() => FpgaInfo$, {
    "ec2QueryName": `FpgaInfo`,
    "xmlName": _fIp
  }], [() => PlacementGroupInfo$, {
    "ec2QueryName": `PlacementGroupInfo`,
    "xmlName": _pGI
  }], [() => InferenceAcceleratorInfo$, {
    "ec2QueryName": `InferenceAcceleratorInfo`,
    "xmlName": _iAIn
  }], [2, {
    "ec2QueryName": `HibernationSupported`,
    "xmlName": _hSi
  }], [2, {
    "ec2QueryName": `BurstablePerformanceSupported`,
    "xmlName": _bPS
  }], [2, {
    "ec2QueryName": `DedicatedHostsSupported`,
    "xmlName": _dHS
  }], [2, {
    "ec2QueryName": `AutoRecoverySupported`,
    "xmlName": _aRSu
  }], [() => BootModeTypeList, {
    "ec2QueryName": `SupportedBootModes`,
    "xmlName": _sBM
  }], [0, {
    "ec2QueryName": `NitroEnclavesSupport`,
    "xmlName": _nES
  }], [0, {
    "ec2QueryName": `NitroTpmSupport`,
    "xmlName": _nTS
  }], [() => NitroTpmInfo$, {
    "ec2QueryName": `NitroTpmInfo`,
    "xmlName": _nTI
  }], [() => MediaAcceleratorInfo$, {
    "ec2QueryName": `MediaAcceleratorInfo`,
    "xmlName": _mAIe
  }], [() => NeuronInfo$, {
    "ec2QueryName": `NeuronInfo`,
    "xmlName": _nIeu
  }], [0, {
    "ec2QueryName": `PhcSupport`,
    "xmlName": _pSh
  }], [0, {
    "ec2QueryName": `RebootMigrationSupport`,
    "xmlName": _rMS
  }], [2, {
    "ec2QueryName": `SupportedInRegion`,
    "xmlName": _sIRu
  }]]
];
var InstanceTypeItem$ = [
  3,
  n0,
  _ITIns,
  0,
  [_IT],
  [[0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }]]
];
var InstanceTypeOffering$ = [
  3,
  n0,
  _ITOn,
  0,
  [_IT, _LTo, _Loc],
  [[0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }], [0, {
    "ec2QueryName": `LocationType`,
    "xmlName": _lTo
  }], [0, {
    "ec2QueryName": `Location`,
    "xmlName": _lo
  }]]
];
var InstanceTypeSpecification$ = [
  3,
  n0,
  _ITSn,
  0,
  [_SIT, _UIT],
  [[() => SupportedInstanceTypeSet, {
    "ec2QueryName": `SupportedInstanceTypeSet`,
    "xmlName": _sITS
  }], [() => UnsupportedInstanceTypeSet, {
    "ec2QueryName": `UnsupportedInstanceTypeSet`,
    "xmlName": _uITS
  }]]
];
var IpPermission$ = [
  3,
  n0,
  _IPper,
  0,
  [_IPpr, _FP, _TP, _UIGP, _IRpa, _IRpv, _PLIr],
  [[0, {
    "ec2QueryName": `IpProtocol`,
    "xmlName": _iPp
  }], [1, {
    "ec2QueryName": `FromPort`,
    "xmlName": _fP
  }], [1, {
    "ec2QueryName": `ToPort`,
    "xmlName": _tP
  }], [() => UserIdGroupPairList, {
    "ec2QueryName": `Groups`,
    "xmlName": _gr
  }], [() => IpRangeList, {
    "ec2QueryName": `IpRanges`,
    "xmlName": _iRpa
  }], [() => Ipv6RangeList, {
    "ec2QueryName": `Ipv6Ranges`,
    "xmlName": _iRpv
  }], [() => PrefixListIdList, {
    "ec2QueryName": `PrefixListIds`,
    "xmlName": _pLIr
  }]]
];
var IpRange$ = [
  3,
  n0,
  _IRpan,
  0,
  [_De, _CIi],
  [[0, {
    "ec2QueryName": `Description`,
    "xmlName": _de
  }], [0, {
    "ec2QueryName": `CidrIp`,
    "xmlName": _cIi
  }]]
];
var Ipv4PrefixSpecificationRequest$ = [
  3,
  n0,
  _IPSRp,
  0,
  [_IPpvre],
  [0]
];
var Ipv6PrefixSpecificationRequest$ = [
  3,
  n0,
  _IPSRpvr,
  0,
  [_IPpv],
  [0]
];
var Ipv6Range$ = [
  3,
  n0,
  _IRpva,
  0,
  [_De, _CIid],
  [[0, {
    "ec2QueryName": `Description`,
    "xmlName": _de
  }], [0, {
    "ec2QueryName": `CidrIpv6`,
    "xmlName": _cIid
  }]]
];
var LaunchTemplate$ = [
  3,
  n0,
  _LT,
  0,
  [_LTI, _LTN, _CTre, _CBr, _DVN, _LVN, _T, _Op],
  [[0, {
    "ec2QueryName": `LaunchTemplateId`,
    "xmlName": _lTI
  }], [0, {
    "ec2QueryName": `LaunchTemplateName`,
    "xmlName": _lTN
  }], [4, {
    "ec2QueryName": `CreateTime`,
    "xmlName": _cTre
  }], [0, {
    "ec2QueryName": `CreatedBy`,
    "xmlName": _cBr
  }], [1, {
    "ec2QueryName": `DefaultVersionNumber`,
    "xmlName": _dVN
  }], [1, {
    "ec2QueryName": `LatestVersionNumber`,
    "xmlName": _lVN
  }], [() => TagList, {
    "ec2QueryName": `TagSet`,
    "xmlName": _tS
  }], [() => OperatorResponse$, {
    "ec2QueryName": `Operator`,
    "xmlName": _ope
  }]]
];
var LaunchTemplateAndOverridesResponse$ = [
  3,
  n0,
  _LTAOR,
  0,
  [_LTS, _Ov],
  [[() => FleetLaunchTemplateSpecification$, {
    "ec2QueryName": `LaunchTemplateSpecification`,
    "xmlName": _lTS
  }], [() => FleetLaunchTemplateOverrides$, {
    "ec2QueryName": `Overrides`,
    "xmlName": _ov
  }]]
];
var LaunchTemplateBlockDeviceMappingRequest$ = [
  3,
  n0,
  _LTBDMR,
  0,
  [_DN, _VN, _Eb, _ND],
  [0, 0, () => LaunchTemplateEbsBlockDeviceRequest$, 0]
];
var LaunchTemplateCapacityReservationSpecificationRequest$ = [
  3,
  n0,
  _LTCRSR,
  0,
  [_CRP, _CRT],
  [0, () => CapacityReservationTarget$]
];
var LaunchTemplateCpuOptionsRequest$ = [
  3,
  n0,
  _LTCOR,
  0,
  [_CCor, _TPC, _ASSm, _NV],
  [1, 1, 0, 0]
];
var LaunchTemplateEbsBlockDeviceRequest$ = [
  3,
  n0,
  _LTEBDR,
  0,
  [_Enc, _DOT, _Io, _KKI, _SIn, _VSo, _VT, _Th, _VIR, _ECI],
  [2, 2, 1, 0, 0, 1, 0, 1, 1, 1]
];
var LaunchTemplateElasticInferenceAccelerator$ = [
  3,
  n0,
  _LTEIA,
  0,
  [_Ty, _Cou],
  [0, 1],
  1
];
var LaunchTemplateEnclaveOptionsRequest$ = [
  3,
  n0,
  _LTEOR,
  0,
  [_En],
  [2]
];
var LaunchTemplateHibernationOptionsRequest$ = [
  3,
  n0,
  _LTHOR,
  0,
  [_Conf],
  [2]
];
var LaunchTemplateIamInstanceProfileSpecificationRequest$ = [
  3,
  n0,
  _LTIIPSR,
  0,
  [_Ar, _N],
  [0, 0]
];
var LaunchTemplateInstanceMaintenanceOptionsRequest$ = [
  3,
  n0,
  _LTIMOR,
  0,
  [_ARuto],
  [0]
];
var LaunchTemplateInstanceMarketOptionsRequest$ = [
  3,
  n0,
  _LTIMORa,
  0,
  [_MTa, _SO],
  [0, () => LaunchTemplateSpotMarketOptionsRequest$]
];
var LaunchTemplateInstanceMetadataOptionsRequest$ = [
  3,
  n0,
  _LTIMORau,
  0,
  [_HT, _HPRHL, _HE, _HPI, _IMT],
  [0, 1, 0, 0, 0]
];
var LaunchTemplateInstanceNetworkInterfaceSpecificationRequest$ = [
  3,
  n0,
  _LTINISR,
  0,
  [_ACIA, _APIAss, _DOT, _De, _DI, _G, _ITnt, _IAC, _IA, _NII, _PIAr, _PIAri, _SPIAC, _SIu, _NCI, _IPpvr, _IPCp, _IPp, _IPC, _PIr, _ESS, _CTS, _EQC],
  [2, 2, 2, 0, 1, [() => SecurityGroupIdStringList, { "xmlName": _SGI }], 0, 1, [() => InstanceIpv6AddressListRequest, 0], 0, 0, [() => PrivateIpAddressSpecificationList, 0], 1, 0, 1, [() => Ipv4PrefixList, { "xmlName": _IPpvre }], 1, [() => Ipv6PrefixList, { "xmlName": _IPpv }], 1, 2, () => EnaSrdSpecificationRequest$, () => ConnectionTrackingSpecificationRequest$, 1]
];
var LaunchTemplateInstanceSecondaryInterfaceSpecificationRequest$ = [
  3,
  n0,
  _LTISISR,
  0,
  [_DOT, _DI, _PIAri, _PIAC, _SSIe, _ITnt, _NCI],
  [2, 1, [() => SecondaryInterfacePrivateIpAddressSpecificationListRequest, { "xmlName": _PIAr }], 1, 0, 0, 1]
];
var LaunchTemplateLicenseConfigurationRequest$ = [
  3,
  n0,
  _LTLCR,
  0,
  [_LCA],
  [0]
];
var LaunchTemplateNetworkPerformanceOptionsRequest$ = [
  3,
  n0,
  _LTNPOR,
  0,
  [_BW],
  [0]
];
var LaunchTemplatePlacementRequest$ = [
  3,
  n0,
  _LTPR,
  0,
  [_AZ, _AZI, _Af, _GN, _HIo, _Te, _SDp, _HRGA, _PN, _GIr],
  [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
];
var LaunchTemplatePrivateDnsNameOptionsRequest$ = [
  3,
  n0,
  _LTPDNOR,
  0,
  [_HTo, _ERNDAR, _ERNDAAAAR],
  [0, 2, 2]
];
var LaunchTemplatesMonitoringRequest$ = [
  3,
  n0,
  _LTMR,
  0,
  [_En, _MCIe],
  [2, [() => MetricCategoryIdList, { "xmlName": _MCI }]]
];
var LaunchTemplateSpotMarketOptionsRequest$ = [
  3,
  n0,
  _LTSMOR,
  0,
  [_MPax, _SITp, _BDMlo, _VU, _IIB],
  [0, 0, 1, 4, 0]
];
var LaunchTemplateTagSpecificationRequest$ = [
  3,
  n0,
  _LTTSR,
  0,
  [_RTe, _T],
  [0, [() => TagList, { "xmlName": _Ta }]]
];
var LicenseConfiguration$ = [
  3,
  n0,
  _LCi,
  0,
  [_LCA],
  [[0, {
    "ec2QueryName": `LicenseConfigurationArn`,
    "xmlName": _lCA
  }]]
];
var MediaAcceleratorInfo$ = [
  3,
  n0,
  _MAIe,
  0,
  [_Acc, _TMMIMB],
  [[() => MediaDeviceInfoList, {
    "ec2QueryName": `Accelerators`,
    "xmlName": _acc
  }], [1, {
    "ec2QueryName": `TotalMediaMemoryInMiB`,
    "xmlName": _tMMIMB
  }]]
];
var MediaDeviceInfo$ = [
  3,
  n0,
  _MDI,
  0,
  [_Cou, _N, _Man, _MIe],
  [[1, {
    "ec2QueryName": `Count`,
    "xmlName": _cou
  }], [0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }], [0, {
    "ec2QueryName": `Manufacturer`,
    "xmlName": _man
  }], [() => MediaDeviceMemoryInfo$, {
    "ec2QueryName": `MemoryInfo`,
    "xmlName": _mIe
  }]]
];
var MediaDeviceMemoryInfo$ = [
  3,
  n0,
  _MDMI,
  0,
  [_SIMB],
  [[1, {
    "ec2QueryName": `SizeInMiB`,
    "xmlName": _sIMB
  }]]
];
var MemoryGiBPerVCpu$ = [
  3,
  n0,
  _MGBPVC,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var MemoryGiBPerVCpuRequest$ = [
  3,
  n0,
  _MGBPVCR,
  0,
  [_M, _Ma],
  [1, 1]
];
var MemoryInfo$ = [
  3,
  n0,
  _MIe,
  0,
  [_SIMB],
  [[1, {
    "ec2QueryName": `SizeInMiB`,
    "xmlName": _sIMB
  }]]
];
var MemoryMiB$ = [
  3,
  n0,
  _MMB,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var MemoryMiBRequest$ = [
  3,
  n0,
  _MMBR,
  0,
  [_M, _Ma],
  [1, 1],
  1
];
var ModifyTrafficMirrorFilterRuleRequest$ = [
  3,
  n0,
  _MTMFRR,
  0,
  [_TMFRI, _TD, _RNu, _RA, _DPRe, _SPRo, _Pr, _DCB, _SCB, _De, _RF, _DR],
  [0, 0, 1, 0, () => TrafficMirrorPortRangeRequest$, () => TrafficMirrorPortRangeRequest$, 1, 0, 0, 0, [64 | 0, { "xmlName": _RFe }], 2],
  1
];
var ModifyTrafficMirrorSessionRequest$ = [
  3,
  n0,
  _MTMSR,
  0,
  [_TMSI, _TMTI, _TMFI, _PLa, _SNes, _VNI, _De, _RF, _DR],
  [0, 0, 0, 1, 1, 1, 0, [64 | 0, { "xmlName": _RFe }], 2],
  1
];
var ModifyTransitGatewayMeteringPolicyRequest$ = [
  3,
  n0,
  _MTGMPR,
  0,
  [_TGMPI, _AMAI, _RMAI, _DR],
  [0, [64 | 0, { "xmlName": _AMAId }], [64 | 0, { "xmlName": _RMAIe }], 2],
  1
];
var Monitoring$ = [
  3,
  n0,
  _Mon,
  0,
  [_MCIe, _St],
  [[() => MetricCategoryIdList, {
    "ec2QueryName": `MetricCategoryIdSet`,
    "xmlName": _mCIS
  }], [0, {
    "ec2QueryName": `State`,
    "xmlName": _st
  }]]
];
var NetworkBandwidthGbps$ = [
  3,
  n0,
  _NBGe,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var NetworkBandwidthGbpsRequest$ = [
  3,
  n0,
  _NBGR,
  0,
  [_M, _Ma],
  [1, 1]
];
var NetworkCardInfo$ = [
  3,
  n0,
  _NCIe,
  0,
  [_NCI, _NPe, _MNI, _AFNI, _BBIG, _PBIG, _DEQCPI, _MEQC, _MEQCPI, _ITnte],
  [[1, {
    "ec2QueryName": `NetworkCardIndex`,
    "xmlName": _nCI
  }], [0, {
    "ec2QueryName": `NetworkPerformance`,
    "xmlName": _nPe
  }], [1, {
    "ec2QueryName": `MaximumNetworkInterfaces`,
    "xmlName": _mNI
  }], [1, {
    "ec2QueryName": `AdditionalFlexibleNetworkInterfaces`,
    "xmlName": _aFNI
  }], [1, {
    "ec2QueryName": `BaselineBandwidthInGbps`,
    "xmlName": _bBIG
  }], [1, {
    "ec2QueryName": `PeakBandwidthInGbps`,
    "xmlName": _pBIG
  }], [1, {
    "ec2QueryName": `DefaultEnaQueueCountPerInterface`,
    "xmlName": _dEQCPI
  }], [1, {
    "ec2QueryName": `MaximumEnaQueueCount`,
    "xmlName": _mEQC
  }], [1, {
    "ec2QueryName": `MaximumEnaQueueCountPerInterface`,
    "xmlName": _mEQCPI
  }], [() => NetworkCardInterfaceTypeList, {
    "ec2QueryName": `InterfaceTypeSet`,
    "xmlName": _iTSnt
  }]]
];
var NetworkInfo$ = [
  3,
  n0,
  _NIetw,
  0,
  [_NPe, _MNI, _MNC, _DNCI, _NC, _IAPI, _IAPIp, _ISpvu, _ESna, _ESf, _EIf, _EITS, _ESSn, _BWa, _FEQS, _CTC, _SNSe, _MSNI, _IAPSI],
  [[0, {
    "ec2QueryName": `NetworkPerformance`,
    "xmlName": _nPe
  }], [1, {
    "ec2QueryName": `MaximumNetworkInterfaces`,
    "xmlName": _mNI
  }], [1, {
    "ec2QueryName": `MaximumNetworkCards`,
    "xmlName": _mNC
  }], [1, {
    "ec2QueryName": `DefaultNetworkCardIndex`,
    "xmlName": _dNCI
  }], [() => NetworkCardInfoList, {
    "ec2QueryName": `NetworkCards`,
    "xmlName": _nC
  }], [1, {
    "ec2QueryName": `Ipv4AddressesPerInterface`,
    "xmlName": _iAPI
  }], [1, {
    "ec2QueryName": `Ipv6AddressesPerInterface`,
    "xmlName": _iAPIp
  }], [2, {
    "ec2QueryName": `Ipv6Supported`,
    "xmlName": _iSpv
  }], [0, {
    "ec2QueryName": `EnaSupport`,
    "xmlName": _eSna
  }], [2, {
    "ec2QueryName": `EfaSupported`,
    "xmlName": _eSf
  }], [() => EfaInfo$, {
    "ec2QueryName": `EfaInfo`,
    "xmlName": _eIf
  }], [2, {
    "ec2QueryName": `EncryptionInTransitSupported`,
    "xmlName": _eITSn
  }], [2, {
    "ec2QueryName": `EnaSrdSupported`,
    "xmlName": _eSSn
  }], [() => BandwidthWeightingTypeList, {
    "ec2QueryName": `BandwidthWeightings`,
    "xmlName": _bWa
  }], [0, {
    "ec2QueryName": `FlexibleEnaQueuesSupport`,
    "xmlName": _fEQS
  }], [() => DefaultConnectionTrackingConfiguration$, {
    "ec2QueryName": `ConnectionTrackingConfiguration`,
    "xmlName": _cTC
  }], [2, {
    "ec2QueryName": `SecondaryNetworkSupported`,
    "xmlName": _sNSec
  }], [1, {
    "ec2QueryName": `MaximumSecondaryNetworkInterfaces`,
    "xmlName": _mSNI
  }], [1, {
    "ec2QueryName": `Ipv4AddressesPerSecondaryInterface`,
    "xmlName": _iAPSI
  }]]
];
var NetworkInterfaceCount$ = [
  3,
  n0,
  _NIC,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var NetworkInterfaceCountRequest$ = [
  3,
  n0,
  _NICR,
  0,
  [_M, _Ma],
  [1, 1]
];
var NeuronDeviceCoreInfo$ = [
  3,
  n0,
  _NDCI,
  0,
  [_Cou, _Ver],
  [[1, {
    "ec2QueryName": `Count`,
    "xmlName": _cou
  }], [1, {
    "ec2QueryName": `Version`,
    "xmlName": _ve
  }]]
];
var NeuronDeviceInfo$ = [
  3,
  n0,
  _NDI,
  0,
  [_Cou, _N, _CIor, _MIe],
  [[1, {
    "ec2QueryName": `Count`,
    "xmlName": _cou
  }], [0, {
    "ec2QueryName": `Name`,
    "xmlName": _n
  }], [() => NeuronDeviceCoreInfo$, {
    "ec2QueryName": `CoreInfo`,
    "xmlName": _cIor
  }], [() => NeuronDeviceMemoryInfo$, {
    "ec2QueryName": `MemoryInfo`,
    "xmlName": _mIe
  }]]
];
var NeuronDeviceMemoryInfo$ = [
  3,
  n0,
  _NDMI,
  0,
  [_SIMB],
  [[1, {
    "ec2QueryName": `SizeInMiB`,
    "xmlName": _sIMB
  }]]
];
var NeuronInfo$ = [
  3,
  n0,
  _NIeu,
  0,
  [_NDe, _TNDMIMB],
  [[() => NeuronDeviceInfoList, {
    "ec2QueryName": `NeuronDevices`,
    "xmlName": _nDe
  }], [1, {
    "ec2QueryName": `TotalNeuronDeviceMemoryInMiB`,
    "xmlName": _tNDMIMB
  }]]
];
var NitroTpmInfo$ = [
  3,
  n0,
  _NTI,
  0,
  [_SVu],
  [[() => NitroTpmSupportedVersionsList, {
    "ec2QueryName": `SupportedVersions`,
    "xmlName": _sVu
  }]]
];
var OnDemandOptionsRequest$ = [
  3,
  n0,
  _ODOR,
  0,
  [_ASl, _CRO, _SITi, _SAZ, _MTC, _MTP],
  [0, () => CapacityReservationOptionsRequest$, 2, 2, 1, 0]
];
var OperatorRequest$ = [
  3,
  n0,
  _ORpe,
  0,
  [_P],
  [0]
];
var OperatorResponse$ = [
  3,
  n0,
  _ORper,
  0,
  [_Mana, _P, _HBD],
  [[2, {
    "ec2QueryName": `Managed`,
    "xmlName": _mana
  }], [0, {
    "ec2QueryName": `Principal`,
    "xmlName": _p
  }], [2, {
    "ec2QueryName": `HiddenByDefault`,
    "xmlName": _hBD
  }]]
];
var PerformanceFactorReference$ = [
  3,
  n0,
  _PFR,
  0,
  [_IF],
  [[0, {
    "ec2QueryName": `InstanceFamily`,
    "xmlName": _iF
  }]]
];
var PerformanceFactorReferenceRequest$ = [
  3,
  n0,
  _PFRR,
  0,
  [_IF],
  [0]
];
var Placement$ = [
  3,
  n0,
  _Pla,
  0,
  [_AZI, _Af, _GN, _PN, _HIo, _Te, _SDp, _HRGA, _GIr, _AZ],
  [[0, {
    "ec2QueryName": `AvailabilityZoneId`,
    "xmlName": _aZI
  }], [0, {
    "ec2QueryName": `Affinity`,
    "xmlName": _af
  }], [0, {
    "ec2QueryName": `GroupName`,
    "xmlName": _gN
  }], [1, {
    "ec2QueryName": `PartitionNumber`,
    "xmlName": _pN
  }], [0, {
    "ec2QueryName": `HostId`,
    "xmlName": _hI
  }], [0, {
    "ec2QueryName": `Tenancy`,
    "xmlName": _te
  }], [0, {
    "ec2QueryName": `SpreadDomain`,
    "xmlName": _sDp
  }], [0, {
    "ec2QueryName": `HostResourceGroupArn`,
    "xmlName": _hRGA
  }], [0, {
    "ec2QueryName": `GroupId`,
    "xmlName": _gIr
  }], [0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }]]
];
var PlacementGroupInfo$ = [
  3,
  n0,
  _PGIl,
  0,
  [_SSu],
  [[() => PlacementGroupStrategyList, {
    "ec2QueryName": `SupportedStrategies`,
    "xmlName": _sSup
  }]]
];
var PlacementResponse$ = [
  3,
  n0,
  _PRl,
  0,
  [_GN],
  [[0, {
    "ec2QueryName": `GroupName`,
    "xmlName": _gN
  }]]
];
var PrefixListId$ = [
  3,
  n0,
  _PLI,
  0,
  [_De, _PLI],
  [[0, {
    "ec2QueryName": `Description`,
    "xmlName": _de
  }], [0, {
    "ec2QueryName": `PrefixListId`,
    "xmlName": _pLI
  }]]
];
var PrivateDnsNameOptionsOnLaunch$ = [
  3,
  n0,
  _PDNOOL,
  0,
  [_HTo, _ERNDAR, _ERNDAAAAR],
  [[0, {
    "ec2QueryName": `HostnameType`,
    "xmlName": _hTo
  }], [2, {
    "ec2QueryName": `EnableResourceNameDnsARecord`,
    "xmlName": _eRNDAR
  }], [2, {
    "ec2QueryName": `EnableResourceNameDnsAAAARecord`,
    "xmlName": _eRNDAAAAR
  }]]
];
var PrivateDnsNameOptionsResponse$ = [
  3,
  n0,
  _PDNORr,
  0,
  [_HTo, _ERNDAR, _ERNDAAAAR],
  [[0, {
    "ec2QueryName": `HostnameType`,
    "xmlName": _hTo
  }], [2, {
    "ec2QueryName": `EnableResourceNameDnsARecord`,
    "xmlName": _eRNDAR
  }], [2, {
    "ec2QueryName": `EnableResourceNameDnsAAAARecord`,
    "xmlName": _eRNDAAAAR
  }]]
];
var PrivateIpAddressSpecification$ = [
  3,
  n0,
  _PIAS,
  0,
  [_Prim, _PIAr],
  [[2, {
    "ec2QueryName": `Primary`,
    "xmlName": _prim
  }], [0, {
    "ec2QueryName": `PrivateIpAddress`,
    "xmlName": _pIAr
  }]]
];
var ProcessorInfo$ = [
  3,
  n0,
  _PIro,
  0,
  [_SAup, _SCSIG, _SF, _Man],
  [[() => ArchitectureTypeList, {
    "ec2QueryName": `SupportedArchitectures`,
    "xmlName": _sAu
  }], [1, {
    "ec2QueryName": `SustainedClockSpeedInGhz`,
    "xmlName": _sCSIG
  }], [() => SupportedAdditionalProcessorFeatureList, {
    "ec2QueryName": `SupportedFeatures`,
    "xmlName": _sF
  }], [0, {
    "ec2QueryName": `Manufacturer`,
    "xmlName": _man
  }]]
];
var ProductCode$ = [
  3,
  n0,
  _PCr,
  0,
  [_PCIr, _PCT],
  [[0, {
    "ec2QueryName": `ProductCode`,
    "xmlName": _pCr
  }], [0, {
    "ec2QueryName": `Type`,
    "xmlName": _ty
  }]]
];
var RequestLaunchTemplateData$ = [
  3,
  n0,
  _RLTD,
  0,
  [_KI, _EO, _IIP, _BDMl, _NIet, _IIm, _IT, _KN, _Mon, _Pla, _RDI, _DAT, _IISB, _UDs, _TS, _EGSlas, _EIAl, _SGIe, _SGe, _IMOns, _CSr, _CO, _CRSa, _LSi, _HO, _MO, _EOn, _IR, _PDNO, _MOa, _DASi, _Op, _NPO, _SIec],
  [0, 2, () => LaunchTemplateIamInstanceProfileSpecificationRequest$, [() => LaunchTemplateBlockDeviceMappingRequestList, { "xmlName": _BDM }], [() => LaunchTemplateInstanceNetworkInterfaceSpecificationRequestList, { "xmlName": _NIe }], 0, 0, 0, [() => LaunchTemplatesMonitoringRequest$, 0], () => LaunchTemplatePlacementRequest$, 0, 2, 0, [() => SensitiveUserData, 0], [() => LaunchTemplateTagSpecificationRequestList, { "xmlName": _TSa }], [() => ElasticGpuSpecificationList, { "xmlName": _EGSla }], [() => LaunchTemplateElasticInferenceAcceleratorList, { "xmlName": _EIA }], [() => SecurityGroupIdStringList, { "xmlName": _SGI }], [() => SecurityGroupStringList, { "xmlName": _SGec }], () => LaunchTemplateInstanceMarketOptionsRequest$, () => CreditSpecificationRequest$, () => LaunchTemplateCpuOptionsRequest$, () => LaunchTemplateCapacityReservationSpecificationRequest$, [() => LaunchTemplateLicenseSpecificationListRequest, { "xmlName": _LSic }], () => LaunchTemplateHibernationOptionsRequest$, () => LaunchTemplateInstanceMetadataOptionsRequest$, () => LaunchTemplateEnclaveOptionsRequest$, [() => InstanceRequirementsRequest$, 0], () => LaunchTemplatePrivateDnsNameOptionsRequest$, () => LaunchTemplateInstanceMaintenanceOptionsRequest$, 2, () => OperatorRequest$, () => LaunchTemplateNetworkPerformanceOptionsRequest$, [() => LaunchTemplateInstanceSecondaryInterfaceSpecificationRequestList, { "xmlName": _SIeco }]]
];
var Reservation$ = [
  3,
  n0,
  _Reser,
  0,
  [_RIe, _OI, _RIeq, _G, _Ins],
  [[0, {
    "ec2QueryName": `ReservationId`,
    "xmlName": _rI
  }], [0, {
    "ec2QueryName": `OwnerId`,
    "xmlName": _oI
  }], [0, {
    "ec2QueryName": `RequesterId`,
    "xmlName": _rIeq
  }], [() => GroupIdentifierList, {
    "ec2QueryName": `GroupSet`,
    "xmlName": _gSr
  }], [() => InstanceList, {
    "ec2QueryName": `InstancesSet`,
    "xmlName": _iSns
  }]]
];
var ReservedCapacityFallbackOptionsRequest$ = [
  3,
  n0,
  _RCFOR,
  0,
  [_MTar],
  [[() => ReservedCapacityFallbackMarketTypeList, { "xmlName": _MTa }]]
];
var ReservedCapacityOptionsRequest$ = [
  3,
  n0,
  _RCOR,
  0,
  [_ASl, _RTese, _CRT, _RCFO],
  [0, [() => ReservationTypeListRequest, { "xmlName": _RT }], [() => FleetCapacityReservationTargetRequest$, 0], [() => ReservedCapacityFallbackOptionsRequest$, 0]]
];
var ResourceTypeOption$ = [
  3,
  n0,
  _RTOe,
  0,
  [_ON, _OV],
  [0, [64 | 0, { "xmlName": _OVp }]]
];
var ResourceTypeRequest$ = [
  3,
  n0,
  _RTRe,
  0,
  [_RTe, _RTO],
  [0, [() => ResourceTypeOptionList, { "xmlName": _RTOe }]]
];
var ScanResults$ = [
  3,
  n0,
  _SRc,
  0,
  [_HFSL, _FSD, _IFAS, _LFAS, _MFAS, _HFAS, _CFAS],
  [[0, {
    "ec2QueryName": `HighestFindingSeverityLabel`,
    "xmlName": _hFSL
  }], [4, {
    "ec2QueryName": `FindingScanDate`,
    "xmlName": _fSD
  }], [4, {
    "ec2QueryName": `InformationalFixAvailableSince`,
    "xmlName": _iFAS
  }], [4, {
    "ec2QueryName": `LowFixAvailableSince`,
    "xmlName": _lFAS
  }], [4, {
    "ec2QueryName": `MediumFixAvailableSince`,
    "xmlName": _mFAS
  }], [4, {
    "ec2QueryName": `HighFixAvailableSince`,
    "xmlName": _hFAS
  }], [4, {
    "ec2QueryName": `CriticalFixAvailableSince`,
    "xmlName": _cFAS
  }]]
];
var SecondaryInterfacePrivateIpAddressSpecificationRequest$ = [
  3,
  n0,
  _SIPIASR,
  0,
  [_PIAr],
  [0]
];
var SecurityGroup$ = [
  3,
  n0,
  _SGec,
  0,
  [_GIr, _IPEp, _T, _VI, _SGA, _OI, _GN, _De, _IPpe],
  [[0, {
    "ec2QueryName": `GroupId`,
    "xmlName": _gIr
  }], [() => IpPermissionList, {
    "ec2QueryName": `IpPermissionsEgress`,
    "xmlName": _iPEp
  }], [() => TagList, {
    "ec2QueryName": `TagSet`,
    "xmlName": _tS
  }], [0, {
    "ec2QueryName": `VpcId`,
    "xmlName": _vI
  }], [0, {
    "ec2QueryName": `SecurityGroupArn`,
    "xmlName": _sGA
  }], [0, {
    "ec2QueryName": `OwnerId`,
    "xmlName": _oI
  }], [0, {
    "ec2QueryName": `GroupName`,
    "xmlName": _gN
  }], [0, {
    "ec2QueryName": `GroupDescription`,
    "xmlName": _gD
  }], [() => IpPermissionList, {
    "ec2QueryName": `IpPermissions`,
    "xmlName": _iPpe
  }]]
];
var SpotOptionsRequest$ = [
  3,
  n0,
  _SOR,
  0,
  [_ASl, _MSa, _IIB, _IPTUC, _SITi, _SAZ, _MTC, _MTP],
  [0, () => FleetSpotMaintenanceStrategiesRequest$, 0, 1, 2, 2, 1, 0]
];
var SpotPrice$ = [
  3,
  n0,
  _SPp,
  0,
  [_AZ, _AZI, _IT, _PDr, _SPp, _Tim],
  [[0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }], [0, {
    "ec2QueryName": `AvailabilityZoneId`,
    "xmlName": _aZI
  }], [0, {
    "ec2QueryName": `InstanceType`,
    "xmlName": _iT
  }], [0, {
    "ec2QueryName": `ProductDescription`,
    "xmlName": _pDr
  }], [0, {
    "ec2QueryName": `SpotPrice`,
    "xmlName": _sPp
  }], [4, {
    "ec2QueryName": `Timestamp`,
    "xmlName": _ti
  }]]
];
var StateReason$ = [
  3,
  n0,
  _SRt,
  0,
  [_Co, _Me],
  [[0, {
    "ec2QueryName": `Code`,
    "xmlName": _co
  }], [0, {
    "ec2QueryName": `Message`,
    "xmlName": _me
  }]]
];
var Subnet$ = [
  3,
  n0,
  _Su,
  0,
  [_AZI, _ELADI, _MCOIOL, _COIP, _OI, _AIAOC, _ICBAS, _T, _SAub, _OA, _EDn, _IN, _PDNOOL, _BPAS, _Ty, _SIu, _St, _VI, _CB, _AIAC, _AZ, _DFA, _MPIOL],
  [[0, {
    "ec2QueryName": `AvailabilityZoneId`,
    "xmlName": _aZI
  }], [1, {
    "ec2QueryName": `EnableLniAtDeviceIndex`,
    "xmlName": _eLADI
  }], [2, {
    "ec2QueryName": `MapCustomerOwnedIpOnLaunch`,
    "xmlName": _mCOIOL
  }], [0, {
    "ec2QueryName": `CustomerOwnedIpv4Pool`,
    "xmlName": _cOIP
  }], [0, {
    "ec2QueryName": `OwnerId`,
    "xmlName": _oI
  }], [2, {
    "ec2QueryName": `AssignIpv6AddressOnCreation`,
    "xmlName": _aIAOC
  }], [() => SubnetIpv6CidrBlockAssociationSet, {
    "ec2QueryName": `Ipv6CidrBlockAssociationSet`,
    "xmlName": _iCBASp
  }], [() => TagList, {
    "ec2QueryName": `TagSet`,
    "xmlName": _tS
  }], [0, {
    "ec2QueryName": `SubnetArn`,
    "xmlName": _sAub
  }], [0, {
    "ec2QueryName": `OutpostArn`,
    "xmlName": _oA
  }], [2, {
    "ec2QueryName": `EnableDns64`,
    "xmlName": _eDn
  }], [2, {
    "ec2QueryName": `Ipv6Native`,
    "xmlName": _iN
  }], [() => PrivateDnsNameOptionsOnLaunch$, {
    "ec2QueryName": `PrivateDnsNameOptionsOnLaunch`,
    "xmlName": _pDNOOL
  }], [() => BlockPublicAccessStates$, {
    "ec2QueryName": `BlockPublicAccessStates`,
    "xmlName": _bPAS
  }], [0, {
    "ec2QueryName": `Type`,
    "xmlName": _ty
  }], [0, {
    "ec2QueryName": `SubnetId`,
    "xmlName": _sIu
  }], [0, {
    "ec2QueryName": `State`,
    "xmlName": _st
  }], [0, {
    "ec2QueryName": `VpcId`,
    "xmlName": _vI
  }], [0, {
    "ec2QueryName": `CidrBlock`,
    "xmlName": _cB
  }], [1, {
    "ec2QueryName": `AvailableIpAddressCount`,
    "xmlName": _aIAC
  }], [0, {
    "ec2QueryName": `AvailabilityZone`,
    "xmlName": _aZ
  }], [2, {
    "ec2QueryName": `DefaultForAz`,
    "xmlName": _dFA
  }], [2, {
    "ec2QueryName": `MapPublicIpOnLaunch`,
    "xmlName": _mPIOL
  }]]
];
var SubnetCidrBlockState$ = [
  3,
  n0,
  _SCBS,
  0,
  [_St, _SMt],
  [[0, {
    "ec2QueryName": `State`,
    "xmlName": _st
  }], [0, {
    "ec2QueryName": `StatusMessage`,
    "xmlName": _sMt
  }]]
];
var SubnetIpv6CidrBlockAssociation$ = [
  3,
  n0,
  _SICBA,
  0,
  [_AIs, _ICB, _ICBS, _IAA, _ISpo],
  [[0, {
    "ec2QueryName": `AssociationId`,
    "xmlName": _aIs
  }], [0, {
    "ec2QueryName": `Ipv6CidrBlock`,
    "xmlName": _iCB
  }], [() => SubnetCidrBlockState$, {
    "ec2QueryName": `Ipv6CidrBlockState`,
    "xmlName": _iCBS
  }], [0, {
    "ec2QueryName": `Ipv6AddressAttribute`,
    "xmlName": _iAA
  }], [0, {
    "ec2QueryName": `IpSource`,
    "xmlName": _iSpo
  }]]
];
var Tag$ = [
  3,
  n0,
  _Ta,
  0,
  [_K, _V],
  [[0, {
    "ec2QueryName": `Key`,
    "xmlName": _k
  }], [0, {
    "ec2QueryName": `Value`,
    "xmlName": _v
  }]]
];
var TagSpecification$ = [
  3,
  n0,
  _TSa,
  0,
  [_RTe, _T],
  [[0, {
    "ec2QueryName": `ResourceType`,
    "xmlName": _rTe
  }], [() => TagList, { "xmlName": _Ta }]]
];
var TargetCapacitySpecificationRequest$ = [
  3,
  n0,
  _TCSR,
  0,
  [_TTC, _ODTC, _STC, _DTCT, _TCUT],
  [1, 1, 1, 0, 0],
  1
];
var TerminateInstancesRequest$ = [
  3,
  n0,
  _TIR,
  0,
  [_IIn, _F, _SOS, _DR],
  [[() => InstanceIdStringList, { "xmlName": _II }], 2, 2, [2, {
    "ec2QueryName": `DryRun`,
    "xmlName": _dR
  }]],
  1
];
var TerminateInstancesResult$ = [
  3,
  n0,
  _TIRe,
  0,
  [_TIer],
  [[() => InstanceStateChangeList, {
    "ec2QueryName": `InstancesSet`,
    "xmlName": _iSns
  }]]
];
var TotalLocalStorageGB$ = [
  3,
  n0,
  _TLSGB,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var TotalLocalStorageGBRequest$ = [
  3,
  n0,
  _TLSGBR,
  0,
  [_M, _Ma],
  [1, 1]
];
var TrafficMirrorPortRangeRequest$ = [
  3,
  n0,
  _TMPRR,
  0,
  [_FP, _TP],
  [1, 1]
];
var UserIdGroupPair$ = [
  3,
  n0,
  _UIGPs,
  0,
  [_De, _UI, _GN, _GIr, _VI, _VPCI, _PSee],
  [[0, {
    "ec2QueryName": `Description`,
    "xmlName": _de
  }], [0, {
    "ec2QueryName": `UserId`,
    "xmlName": _uI
  }], [0, {
    "ec2QueryName": `GroupName`,
    "xmlName": _gN
  }], [0, {
    "ec2QueryName": `GroupId`,
    "xmlName": _gIr
  }], [0, {
    "ec2QueryName": `VpcId`,
    "xmlName": _vI
  }], [0, {
    "ec2QueryName": `VpcPeeringConnectionId`,
    "xmlName": _vPCI
  }], [0, {
    "ec2QueryName": `PeeringStatus`,
    "xmlName": _pSee
  }]]
];
var ValidationError$ = [
  3,
  n0,
  _VEa,
  0,
  [_Co, _Me],
  [[0, {
    "ec2QueryName": `Code`,
    "xmlName": _co
  }], [0, {
    "ec2QueryName": `Message`,
    "xmlName": _me
  }]]
];
var ValidationWarning$ = [
  3,
  n0,
  _VW,
  0,
  [_Err],
  [[() => ErrorSet, {
    "ec2QueryName": `ErrorSet`,
    "xmlName": _eSr
  }]]
];
var VCpuCountRange$ = [
  3,
  n0,
  _VCCR,
  0,
  [_M, _Ma],
  [[1, {
    "ec2QueryName": `Min`,
    "xmlName": _m
  }], [1, {
    "ec2QueryName": `Max`,
    "xmlName": _ma
  }]]
];
var VCpuCountRangeRequest$ = [
  3,
  n0,
  _VCCRR,
  0,
  [_M, _Ma],
  [1, 1],
  1
];
var VCpuInfo$ = [
  3,
  n0,
  _VCIpu,
  0,
  [_DVC, _DCef, _DTPC, _VCa, _VTPC],
  [[1, {
    "ec2QueryName": `DefaultVCpus`,
    "xmlName": _dVC
  }], [1, {
    "ec2QueryName": `DefaultCores`,
    "xmlName": _dCe
  }], [1, {
    "ec2QueryName": `DefaultThreadsPerCore`,
    "xmlName": _dTPC
  }], [() => CoreCountList, {
    "ec2QueryName": `ValidCores`,
    "xmlName": _vCa
  }], [() => ThreadsPerCoreList, {
    "ec2QueryName": `ValidThreadsPerCore`,
    "xmlName": _vTPC
  }]]
];
var __Unit = "unit";
var AcceleratorManufacturerSet = [
  1,
  n0,
  _AMSc,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var AcceleratorNameSet = [
  1,
  n0,
  _ANSc,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var AcceleratorTypeSet = [
  1,
  n0,
  _ATSc,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var AllowedInstanceTypeSet = [
  1,
  n0,
  _AITS,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var ArchitectureTypeList = [
  1,
  n0,
  _ATLr,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var ArchitectureTypeSet = [
  1,
  n0,
  _ATSr,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var AssetIdList = 64 | 0;
var AvailabilityZoneGeographyList = [
  1,
  n0,
  _AZGL,
  0,
  [
    () => AvailabilityZoneGeography$,
    { "xmlName": _it }
  ]
];
var AvailabilityZoneList = [
  1,
  n0,
  _AZL,
  0,
  [
    () => AvailabilityZone$,
    { "xmlName": _it }
  ]
];
var AvailabilityZoneMessageList = [
  1,
  n0,
  _AZML,
  0,
  [
    () => AvailabilityZoneMessage$,
    { "xmlName": _it }
  ]
];
var AvailabilityZoneSubGeographyList = [
  1,
  n0,
  _AZSGL,
  0,
  [
    () => AvailabilityZoneSubGeography$,
    { "xmlName": _it }
  ]
];
var BandwidthWeightingTypeList = [
  1,
  n0,
  _BWTL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var BlockDeviceMappingList = [
  1,
  n0,
  _BDML,
  0,
  [
    () => BlockDeviceMapping$,
    { "xmlName": _it }
  ]
];
var BlockDeviceMappingResponseList = [
  1,
  n0,
  _BDMRLl,
  0,
  [
    () => BlockDeviceMappingResponse$,
    { "xmlName": _it }
  ]
];
var BootModeTypeList = [
  1,
  n0,
  _BMTL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var CapacityReservationIdSet = [
  1,
  n0,
  _CRIS,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var CapacityReservationResourceGroupArnSet = [
  1,
  n0,
  _CRRGAS,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var CarrierGatewayIdSet = 64 | 0;
var CoreCountList = [
  1,
  n0,
  _CCL,
  0,
  [
    1,
    { "xmlName": _it }
  ]
];
var CpuManufacturerSet = [
  1,
  n0,
  _CMSp,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var CreateFleetErrorsSet = [
  1,
  n0,
  _CFES,
  0,
  [
    () => CreateFleetError$,
    { "xmlName": _it }
  ]
];
var CreateFleetInstancesSet = [
  1,
  n0,
  _CFIS,
  0,
  [
    () => CreateFleetInstance$,
    { "xmlName": _it }
  ]
];
var DescribeImageReferencesImageIdStringList = 64 | 0;
var DescribeImageUsageReportsImageIdStringList = 64 | 0;
var DescribeInstanceTopologyGroupNameSet = 64 | 0;
var DescribeInstanceTopologyInstanceIdSet = 64 | 0;
var DiskInfoList = [
  1,
  n0,
  _DILi,
  0,
  [
    () => DiskInfo$,
    { "xmlName": _it }
  ]
];
var EbsCardInfoList = [
  1,
  n0,
  _ECIL,
  0,
  [
    () => EbsCardInfo$,
    { "xmlName": _it }
  ]
];
var ElasticGpuAssociationList = [
  1,
  n0,
  _EGAL,
  0,
  [
    () => ElasticGpuAssociation$,
    { "xmlName": _it }
  ]
];
var ElasticGpuSpecificationList = [
  1,
  n0,
  _EGSL,
  0,
  [
    () => ElasticGpuSpecification$,
    { "xmlName": _EGSla }
  ]
];
var ElasticInferenceAcceleratorAssociationList = [
  1,
  n0,
  _EIAAL,
  0,
  [
    () => ElasticInferenceAcceleratorAssociation$,
    { "xmlName": _it }
  ]
];
var ErrorSet = [
  1,
  n0,
  _ESr,
  0,
  [
    () => ValidationError$,
    { "xmlName": _it }
  ]
];
var ExcludedInstanceTypeSet = [
  1,
  n0,
  _EITSx,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var ExecutableByStringList = [
  1,
  n0,
  _EBSL,
  0,
  [
    0,
    { "xmlName": _EBx }
  ]
];
var FilterList = [
  1,
  n0,
  _FLi,
  0,
  [
    () => Filter$,
    { "xmlName": _Fil }
  ]
];
var FleetBlockDeviceMappingRequestList = [
  1,
  n0,
  _FBDMRL,
  0,
  [
    () => FleetBlockDeviceMappingRequest$,
    { "xmlName": _BDM }
  ]
];
var FleetIdSet = 64 | 0;
var FleetLaunchTemplateConfigListRequest = [
  1,
  n0,
  _FLTCLR,
  0,
  [
    () => FleetLaunchTemplateConfigRequest$,
    { "xmlName": _it }
  ]
];
var FleetLaunchTemplateOverridesListRequest = [
  1,
  n0,
  _FLTOLR,
  0,
  [
    () => FleetLaunchTemplateOverridesRequest$,
    { "xmlName": _it }
  ]
];
var FpgaDeviceInfoList = [
  1,
  n0,
  _FDIL,
  0,
  [
    () => FpgaDeviceInfo$,
    { "xmlName": _it }
  ]
];
var GpuDeviceInfoList = [
  1,
  n0,
  _GDIL,
  0,
  [
    () => GpuDeviceInfo$,
    { "xmlName": _it }
  ]
];
var GroupIdentifierList = [
  1,
  n0,
  _GIL,
  0,
  [
    () => GroupIdentifier$,
    { "xmlName": _it }
  ]
];
var GroupIdStringList = [
  1,
  n0,
  _GISL,
  0,
  [
    0,
    { "xmlName": _gIr }
  ]
];
var GroupNameStringList = [
  1,
  n0,
  _GNSL,
  0,
  [
    0,
    { "xmlName": _GN }
  ]
];
var ImageIdStringList = [
  1,
  n0,
  _IISL,
  0,
  [
    0,
    { "xmlName": _IIm }
  ]
];
var ImageList = [
  1,
  n0,
  _ILm,
  0,
  [
    () => Image$,
    { "xmlName": _it }
  ]
];
var ImageUsageReportIdStringList = 64 | 0;
var ImageWatermarkList = [
  1,
  n0,
  _IWL,
  0,
  [
    () => ImageWatermark$,
    { "xmlName": _it }
  ]
];
var InferenceDeviceInfoList = [
  1,
  n0,
  _IDIL,
  0,
  [
    () => InferenceDeviceInfo$,
    0
  ]
];
var InstanceBlockDeviceMappingList = [
  1,
  n0,
  _IBDML,
  0,
  [
    () => InstanceBlockDeviceMapping$,
    { "xmlName": _it }
  ]
];
var InstanceGenerationSet = [
  1,
  n0,
  _IGS,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var InstanceIdsSet = [
  1,
  n0,
  _IISn,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var InstanceIdStringList = [
  1,
  n0,
  _IISLn,
  0,
  [
    0,
    { "xmlName": _II }
  ]
];
var InstanceIpv4PrefixList = [
  1,
  n0,
  _IIPL,
  0,
  [
    () => InstanceIpv4Prefix$,
    { "xmlName": _it }
  ]
];
var InstanceIpv6AddressList = [
  1,
  n0,
  _IIAL,
  0,
  [
    () => InstanceIpv6Address$,
    { "xmlName": _it }
  ]
];
var InstanceIpv6AddressListRequest = [
  1,
  n0,
  _IIALR,
  0,
  [
    () => InstanceIpv6AddressRequest$,
    { "xmlName": _IIA }
  ]
];
var InstanceIpv6PrefixList = [
  1,
  n0,
  _IIPLn,
  0,
  [
    () => InstanceIpv6Prefix$,
    { "xmlName": _it }
  ]
];
var InstanceList = [
  1,
  n0,
  _ILns,
  0,
  [
    () => Instance$,
    { "xmlName": _it }
  ]
];
var InstanceNetworkInterfaceList = [
  1,
  n0,
  _INIL,
  0,
  [
    () => InstanceNetworkInterface$,
    { "xmlName": _it }
  ]
];
var InstancePrivateIpAddressList = [
  1,
  n0,
  _IPIAL,
  0,
  [
    () => InstancePrivateIpAddress$,
    { "xmlName": _it }
  ]
];
var InstanceSecondaryInterfaceList = [
  1,
  n0,
  _ISIL,
  0,
  [
    () => InstanceSecondaryInterface$,
    { "xmlName": _it }
  ]
];
var InstanceSecondaryInterfacePrivateIpAddressList = [
  1,
  n0,
  _ISIPIAL,
  0,
  [
    () => InstanceSecondaryInterfacePrivateIpAddress$,
    { "xmlName": _it }
  ]
];
var InstanceStateChangeList = [
  1,
  n0,
  _ISCL,
  0,
  [
    () => InstanceStateChange$,
    { "xmlName": _it }
  ]
];
var InstanceTypeInfoList = [
  1,
  n0,
  _ITILn,
  0,
  [
    () => InstanceTypeInfo$,
    { "xmlName": _it }
  ]
];
var InstanceTypeList = 64 | 0;
var InstanceTypeOfferingsList = [
  1,
  n0,
  _ITOL,
  0,
  [
    () => InstanceTypeOffering$,
    { "xmlName": _it }
  ]
];
var InstanceTypes = 64 | 0;
var IpPermissionList = [
  1,
  n0,
  _IPLp,
  0,
  [
    () => IpPermission$,
    { "xmlName": _it }
  ]
];
var IpRangeList = [
  1,
  n0,
  _IRLp,
  0,
  [
    () => IpRange$,
    { "xmlName": _it }
  ]
];
var Ipv4PrefixList = [
  1,
  n0,
  _IPLpvr,
  0,
  [
    () => Ipv4PrefixSpecificationRequest$,
    { "xmlName": _it }
  ]
];
var Ipv6PrefixList = [
  1,
  n0,
  _IPLpvref,
  0,
  [
    () => Ipv6PrefixSpecificationRequest$,
    { "xmlName": _it }
  ]
];
var Ipv6RangeList = [
  1,
  n0,
  _IRLpv,
  0,
  [
    () => Ipv6Range$,
    { "xmlName": _it }
  ]
];
var LaunchTemplateBlockDeviceMappingRequestList = [
  1,
  n0,
  _LTBDMRL,
  0,
  [
    () => LaunchTemplateBlockDeviceMappingRequest$,
    { "xmlName": _BDM }
  ]
];
var LaunchTemplateElasticInferenceAcceleratorList = [
  1,
  n0,
  _LTEIAL,
  0,
  [
    () => LaunchTemplateElasticInferenceAccelerator$,
    { "xmlName": _it }
  ]
];
var LaunchTemplateInstanceNetworkInterfaceSpecificationRequestList = [
  1,
  n0,
  _LTINISRL,
  0,
  [
    () => LaunchTemplateInstanceNetworkInterfaceSpecificationRequest$,
    { "xmlName": _INIS }
  ]
];
var LaunchTemplateInstanceSecondaryInterfaceSpecificationRequestList = [
  1,
  n0,
  _LTISISRL,
  0,
  [
    () => LaunchTemplateInstanceSecondaryInterfaceSpecificationRequest$,
    { "xmlName": _ISIS }
  ]
];
var LaunchTemplateLicenseSpecificationListRequest = [
  1,
  n0,
  _LTLSLR,
  0,
  [
    () => LaunchTemplateLicenseConfigurationRequest$,
    { "xmlName": _it }
  ]
];
var LaunchTemplateTagSpecificationRequestList = [
  1,
  n0,
  _LTTSRL,
  0,
  [
    () => LaunchTemplateTagSpecificationRequest$,
    { "xmlName": _LTTSR }
  ]
];
var LicenseList = [
  1,
  n0,
  _LL,
  0,
  [
    () => LicenseConfiguration$,
    { "xmlName": _it }
  ]
];
var LocalStorageTypeSet = [
  1,
  n0,
  _LSTS,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var MediaDeviceInfoList = [
  1,
  n0,
  _MDIL,
  0,
  [
    () => MediaDeviceInfo$,
    { "xmlName": _it }
  ]
];
var MetricCategoryIdList = [
  1,
  n0,
  _MCIL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var NetworkCardInfoList = [
  1,
  n0,
  _NCIL,
  0,
  [
    () => NetworkCardInfo$,
    { "xmlName": _it }
  ]
];
var NetworkCardInterfaceTypeList = [
  1,
  n0,
  _NCITL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var NetworkInterfacePermissionIdList = 64 | 0;
var NeuronDeviceInfoList = [
  1,
  n0,
  _NDIL,
  0,
  [
    () => NeuronDeviceInfo$,
    { "xmlName": _it }
  ]
];
var NitroTpmSupportedVersionsList = [
  1,
  n0,
  _NTSVL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var OwnerStringList = [
  1,
  n0,
  _OSL,
  0,
  [
    0,
    { "xmlName": _Own }
  ]
];
var PerformanceFactorReferenceSet = [
  1,
  n0,
  _PFRS,
  0,
  [
    () => PerformanceFactorReference$,
    { "xmlName": _it }
  ]
];
var PerformanceFactorReferenceSetRequest = [
  1,
  n0,
  _PFRSR,
  0,
  [
    () => PerformanceFactorReferenceRequest$,
    { "xmlName": _it }
  ]
];
var PlacementGroupIdStringList = [
  1,
  n0,
  _PGISL,
  0,
  [
    0,
    { "xmlName": _GIr }
  ]
];
var PlacementGroupStrategyList = [
  1,
  n0,
  _PGSL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var PlacementGroupStringList = 64 | 0;
var PrefixListIdList = [
  1,
  n0,
  _PLIL,
  0,
  [
    () => PrefixListId$,
    { "xmlName": _it }
  ]
];
var PrivateIpAddressSpecificationList = [
  1,
  n0,
  _PIASL,
  0,
  [
    () => PrivateIpAddressSpecification$,
    { "xmlName": _it }
  ]
];
var ProductCodeList = [
  1,
  n0,
  _PCLr,
  0,
  [
    () => ProductCode$,
    { "xmlName": _it }
  ]
];
var ProductDescriptionList = 64 | 0;
var RegionNames = 64 | 0;
var RequestInstanceTypeList = 64 | 0;
var ReservationList = [
  1,
  n0,
  _RLe,
  0,
  [
    () => Reservation$,
    { "xmlName": _it }
  ]
];
var ReservationTypeListRequest = [
  1,
  n0,
  _RTLR,
  0,
  [
    0,
    { "xmlName": _RT }
  ]
];
var ReservedCapacityFallbackMarketTypeList = [
  1,
  n0,
  _RCFMTL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var ReservedInstancesOfferingIdStringList = 64 | 0;
var ResourceIdList = 64 | 0;
var ResourceTypeOptionList = [
  1,
  n0,
  _RTOL,
  0,
  [
    () => ResourceTypeOption$,
    0
  ]
];
var ResourceTypeOptionValuesList = 64 | 0;
var ResourceTypeRequestList = [
  1,
  n0,
  _RTRL,
  0,
  [
    () => ResourceTypeRequest$,
    0
  ]
];
var RestorableByStringList = 64 | 0;
var RootDeviceTypeList = [
  1,
  n0,
  _RDTL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var RouteServerEndpointIdsList = 64 | 0;
var RouteServerIdsList = 64 | 0;
var RouteServerPeerIdsList = 64 | 0;
var SecondaryInterfacePrivateIpAddressSpecificationListRequest = [
  1,
  n0,
  _SIPIASLR,
  0,
  [
    () => SecondaryInterfacePrivateIpAddressSpecificationRequest$,
    { "xmlName": _SIPIAS }
  ]
];
var SecurityGroupIdStringList = [
  1,
  n0,
  _SGISL,
  0,
  [
    0,
    { "xmlName": _SGI }
  ]
];
var SecurityGroupList = [
  1,
  n0,
  _SGL,
  0,
  [
    () => SecurityGroup$,
    { "xmlName": _it }
  ]
];
var SecurityGroupStringList = [
  1,
  n0,
  _SGSL,
  0,
  [
    0,
    { "xmlName": _SGec }
  ]
];
var SnapshotIdStringList = [
  1,
  n0,
  _SISL,
  0,
  [
    0,
    { "xmlName": _SIn }
  ]
];
var SpotPriceHistoryList = [
  1,
  n0,
  _SPHL,
  0,
  [
    () => SpotPrice$,
    { "xmlName": _it }
  ]
];
var SubnetIdStringList = [
  1,
  n0,
  _SISLu,
  0,
  [
    0,
    { "xmlName": _SIu }
  ]
];
var SubnetIpv6CidrBlockAssociationSet = [
  1,
  n0,
  _SICBAS,
  0,
  [
    () => SubnetIpv6CidrBlockAssociation$,
    { "xmlName": _it }
  ]
];
var SubnetList = [
  1,
  n0,
  _SLu,
  0,
  [
    () => Subnet$,
    { "xmlName": _it }
  ]
];
var SupportedAdditionalProcessorFeatureList = [
  1,
  n0,
  _SAPFL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var SupportedInstanceTypeSet = [
  1,
  n0,
  _SITS,
  0,
  [
    () => InstanceTypeItem$,
    { "xmlName": _it }
  ]
];
var TagList = [
  1,
  n0,
  _TL,
  0,
  [
    () => Tag$,
    { "xmlName": _it }
  ]
];
var TagSpecificationList = [
  1,
  n0,
  _TSL,
  0,
  [
    () => TagSpecification$,
    { "xmlName": _it }
  ]
];
var ThreadsPerCoreList = [
  1,
  n0,
  _TPCL,
  0,
  [
    1,
    { "xmlName": _it }
  ]
];
var TrafficMirrorFilterRuleFieldList = 64 | 0;
var TrafficMirrorSessionFieldList = 64 | 0;
var TransitGatewayAttachmentIdStringList = 64 | 0;
var UnsupportedInstanceTypeSet = [
  1,
  n0,
  _UITS,
  0,
  [
    () => InstanceTypeItem$,
    { "xmlName": _it }
  ]
];
var UsageClassTypeList = [
  1,
  n0,
  _UCTL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var UserIdGroupPairList = [
  1,
  n0,
  _UIGPL,
  0,
  [
    () => UserIdGroupPair$,
    { "xmlName": _it }
  ]
];
var ValueStringList = [
  1,
  n0,
  _VSL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var VirtualizationTypeList = [
  1,
  n0,
  _VTLi,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var VirtualizationTypeSet = [
  1,
  n0,
  _VTS,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var WorkloadsList = [
  1,
  n0,
  _WL,
  0,
  [
    0,
    { "xmlName": _it }
  ]
];
var ZoneIdStringList = [
  1,
  n0,
  _ZISL,
  0,
  [
    0,
    { "xmlName": _ZI }
  ]
];
var ZoneNameStringList = [
  1,
  n0,
  _ZNSL,
  0,
  [
    0,
    { "xmlName": _ZN }
  ]
];
var CreateFleet$ = [
  9,
  n0,
  _CFr,
  0,
  () => CreateFleetRequest$,
  () => CreateFleetResult$
];
var CreateLaunchTemplate$ = [
  9,
  n0,
  _CLT,
  0,
  () => CreateLaunchTemplateRequest$,
  () => CreateLaunchTemplateResult$
];
var CreateTags$ = [
  9,
  n0,
  _CTreat,
  0,
  () => CreateTagsRequest$,
  () => __Unit
];
var DescribeAvailabilityZones$ = [
  9,
  n0,
  _DAZe,
  0,
  () => DescribeAvailabilityZonesRequest$,
  () => DescribeAvailabilityZonesResult$
];
var DescribeImages$ = [
  9,
  n0,
  _DIes,
  0,
  () => DescribeImagesRequest$,
  () => DescribeImagesResult$
];
var DescribeInstances$ = [
  9,
  n0,
  _DIesc,
  0,
  () => DescribeInstancesRequest$,
  () => DescribeInstancesResult$
];
var DescribeInstanceTypeOfferings$ = [
  9,
  n0,
  _DITO,
  0,
  () => DescribeInstanceTypeOfferingsRequest$,
  () => DescribeInstanceTypeOfferingsResult$
];
var DescribeInstanceTypes$ = [
  9,
  n0,
  _DITe,
  0,
  () => DescribeInstanceTypesRequest$,
  () => DescribeInstanceTypesResult$
];
var DescribeSecurityGroups$ = [
  9,
  n0,
  _DSGe,
  0,
  () => DescribeSecurityGroupsRequest$,
  () => DescribeSecurityGroupsResult$
];
var DescribeSpotPriceHistory$ = [
  9,
  n0,
  _DSPH,
  0,
  () => DescribeSpotPriceHistoryRequest$,
  () => DescribeSpotPriceHistoryResult$
];
var DescribeSubnets$ = [
  9,
  n0,
  _DSesc,
  0,
  () => DescribeSubnetsRequest$,
  () => DescribeSubnetsResult$
];
var TerminateInstances$ = [
  9,
  n0,
  _TI,
  0,
  () => TerminateInstancesRequest$,
  () => TerminateInstancesResult$
];

// @aws-sdk/client-ec2/dist-es/runtimeConfig.shared.js
var getRuntimeConfig = (config) => {
  return {
    apiVersion: "2016-11-15",
    base64Decoder: config?.base64Decoder ?? fromBase64,
    base64Encoder: config?.base64Encoder ?? toBase64,
    disableHostPrefix: config?.disableHostPrefix ?? false,
    endpointProvider: config?.endpointProvider ?? defaultEndpointResolver,
    extensions: config?.extensions ?? [],
    httpAuthSchemeProvider: config?.httpAuthSchemeProvider ?? defaultEC2HttpAuthSchemeProvider,
    httpAuthSchemes: config?.httpAuthSchemes ?? [
      {
        schemeId: "aws.auth#sigv4",
        identityProvider: (ipc) => ipc.getIdentityProvider("aws.auth#sigv4"),
        signer: new AwsSdkSigV4Signer()
      }
    ],
    logger: config?.logger ?? new NoOpLogger(),
    protocol: config?.protocol ?? AwsEc2QueryProtocol,
    protocolSettings: config?.protocolSettings ?? {
      defaultNamespace: "com.amazonaws.ec2",
      errorTypeRegistries,
      xmlNamespace: "http://ec2.amazonaws.com/doc/2016-11-15",
      version: "2016-11-15",
      serviceTarget: "AmazonEC2"
    },
    serviceId: config?.serviceId ?? "EC2",
    sha256: config?.sha256 ?? Sha256,
    urlParser: config?.urlParser ?? parseUrl,
    utf8Decoder: config?.utf8Decoder ?? fromUtf8,
    utf8Encoder: config?.utf8Encoder ?? toUtf8
  };
};

// @aws-sdk/client-ec2/dist-es/runtimeConfig.js
var getRuntimeConfig2 = (config) => {
  emitWarningIfUnsupportedVersion(process.version);
  const defaultsMode = resolveDefaultsModeConfig(config);
  const defaultConfigProvider = () => defaultsMode().then(loadConfigsForDefaultMode);
  const clientSharedValues = getRuntimeConfig(config);
  awsCheckVersion(process.version);
  const loaderConfig = {
    profile: config?.profile,
    logger: clientSharedValues.logger
  };
  return {
    ...clientSharedValues,
    ...config,
    runtime: "node",
    defaultsMode,
    authSchemePreference: config?.authSchemePreference ?? loadNodeConfig(NODE_AUTH_SCHEME_PREFERENCE_OPTIONS, loaderConfig),
    bodyLengthChecker: config?.bodyLengthChecker ?? calculateBodyLength,
    credentialDefaultProvider: config?.credentialDefaultProvider ?? credentialDefaultProvider,
    defaultSocketTimeout: getDefaultSocketTimeout(config?.requestHandler, 9e5),
    defaultUserAgentProvider: config?.defaultUserAgentProvider ?? createDefaultUserAgentProvider({ serviceId: clientSharedValues.serviceId, clientVersion: package_default.version }),
    maxAttempts: config?.maxAttempts ?? loadNodeConfig(NODE_MAX_ATTEMPT_CONFIG_OPTIONS, config),
    region: config?.region ?? loadNodeConfig(NODE_REGION_CONFIG_OPTIONS, { ...NODE_REGION_CONFIG_FILE_OPTIONS, ...loaderConfig }),
    requestHandler: RequestHandler.create(config?.requestHandler ?? defaultConfigProvider),
    retryMode: config?.retryMode ?? loadNodeConfig({
      ...NODE_RETRY_MODE_CONFIG_OPTIONS,
      default: async () => (await defaultConfigProvider()).retryMode || DEFAULT_RETRY_MODE
    }, config),
    streamCollector: config?.streamCollector ?? streamCollector,
    useDualstackEndpoint: config?.useDualstackEndpoint ?? loadNodeConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS, loaderConfig),
    useFipsEndpoint: config?.useFipsEndpoint ?? loadNodeConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS, loaderConfig),
    userAgentAppId: config?.userAgentAppId ?? loadNodeConfig(NODE_APP_ID_CONFIG_OPTIONS, loaderConfig)
  };
};

// @aws-sdk/client-ec2/dist-es/runtimeExtensions.js
import { getAwsRegionExtensionConfiguration, resolveAwsRegionExtensionConfiguration } from "@aws-sdk/core/client";
import { getDefaultExtensionConfiguration, resolveDefaultRuntimeConfig } from "@smithy/core/client";
import { getHttpHandlerExtensionConfiguration, resolveHttpHandlerRuntimeConfig } from "@smithy/core/protocols";

// @aws-sdk/client-ec2/dist-es/auth/httpAuthExtensionConfiguration.js
var getHttpAuthExtensionConfiguration = (runtimeConfig) => {
  const _httpAuthSchemes = runtimeConfig.httpAuthSchemes;
  let _httpAuthSchemeProvider = runtimeConfig.httpAuthSchemeProvider;
  let _credentials = runtimeConfig.credentials;
  return {
    setHttpAuthScheme(httpAuthScheme) {
      const index = _httpAuthSchemes.findIndex((scheme) => scheme.schemeId === httpAuthScheme.schemeId);
      if (index === -1) {
        _httpAuthSchemes.push(httpAuthScheme);
      } else {
        _httpAuthSchemes.splice(index, 1, httpAuthScheme);
      }
    },
    httpAuthSchemes() {
      return _httpAuthSchemes;
    },
    setHttpAuthSchemeProvider(httpAuthSchemeProvider) {
      _httpAuthSchemeProvider = httpAuthSchemeProvider;
    },
    httpAuthSchemeProvider() {
      return _httpAuthSchemeProvider;
    },
    setCredentials(credentials) {
      _credentials = credentials;
    },
    credentials() {
      return _credentials;
    }
  };
};
var resolveHttpAuthRuntimeConfig = (config) => {
  return {
    httpAuthSchemes: config.httpAuthSchemes(),
    httpAuthSchemeProvider: config.httpAuthSchemeProvider(),
    credentials: config.credentials()
  };
};

// @aws-sdk/client-ec2/dist-es/runtimeExtensions.js
var resolveRuntimeExtensions = (runtimeConfig, extensions) => {
  const extensionConfiguration = Object.assign(getAwsRegionExtensionConfiguration(runtimeConfig), getDefaultExtensionConfiguration(runtimeConfig), getHttpHandlerExtensionConfiguration(runtimeConfig), getHttpAuthExtensionConfiguration(runtimeConfig));
  extensions.forEach((extension) => extension.configure(extensionConfiguration));
  return Object.assign(runtimeConfig, resolveAwsRegionExtensionConfiguration(extensionConfiguration), resolveDefaultRuntimeConfig(extensionConfiguration), resolveHttpHandlerRuntimeConfig(extensionConfiguration), resolveHttpAuthRuntimeConfig(extensionConfiguration));
};

// @aws-sdk/client-ec2/dist-es/EC2Client.js
var EC2Client = class extends __Client {
  config;
  constructor(...[configuration]) {
    const _config_0 = getRuntimeConfig2(configuration || {});
    super(_config_0);
    this.initConfig = _config_0;
    const _config_1 = resolveClientEndpointParameters(_config_0);
    const _config_2 = resolveUserAgentConfig(_config_1);
    const _config_3 = resolveRetryConfig(_config_2);
    const _config_4 = resolveRegionConfig(_config_3);
    const _config_5 = resolveHostHeaderConfig(_config_4);
    const _config_6 = resolveEndpointConfig(_config_5);
    const _config_7 = resolveHttpAuthSchemeConfig(_config_6);
    const _config_8 = resolveRuntimeExtensions(_config_7, configuration?.extensions || []);
    this.config = _config_8;
    this.middlewareStack.use(getSchemaSerdePlugin(this.config));
    this.middlewareStack.use(getUserAgentPlugin(this.config));
    this.middlewareStack.use(getRetryPlugin(this.config));
    this.middlewareStack.use(getContentLengthPlugin(this.config));
    this.middlewareStack.use(getHostHeaderPlugin(this.config));
    this.middlewareStack.use(getLoggerPlugin(this.config));
    this.middlewareStack.use(getRecursionDetectionPlugin(this.config));
    this.middlewareStack.use(getHttpAuthSchemeEndpointRuleSetPlugin(this.config, {
      httpAuthSchemeParametersProvider: defaultEC2HttpAuthSchemeParametersProvider,
      identityProviderConfigProvider: async (config) => new DefaultIdentityProviderConfig({
        "aws.auth#sigv4": config.credentials
      })
    }));
    this.middlewareStack.use(getHttpSigningPlugin(this.config));
  }
  destroy() {
    super.destroy();
  }
};

// @aws-sdk/client-ec2/dist-es/commandBuilder.js
import { makeBuilder } from "@smithy/core/client";
import { getEndpointPlugin } from "@smithy/core/endpoints";
var command = makeBuilder(commonParams, "AmazonEC2", "EC2Client", getEndpointPlugin);
var _ep0 = {};
var _mw0 = (Command, cs, config, o) => [];

// @aws-sdk/client-ec2/dist-es/commands/CreateFleetCommand.js
var CreateFleetCommand = class extends command(_ep0, _mw0, "CreateFleet", CreateFleet$) {
};

// @aws-sdk/client-ec2/dist-es/commands/CreateLaunchTemplateCommand.js
var CreateLaunchTemplateCommand = class extends command(_ep0, _mw0, "CreateLaunchTemplate", CreateLaunchTemplate$) {
};

// @aws-sdk/client-ec2/dist-es/commands/CreateTagsCommand.js
var CreateTagsCommand = class extends command(_ep0, _mw0, "CreateTags", CreateTags$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeAvailabilityZonesCommand.js
var DescribeAvailabilityZonesCommand = class extends command(_ep0, _mw0, "DescribeAvailabilityZones", DescribeAvailabilityZones$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeImagesCommand.js
var DescribeImagesCommand = class extends command(_ep0, _mw0, "DescribeImages", DescribeImages$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeInstancesCommand.js
var DescribeInstancesCommand = class extends command(_ep0, _mw0, "DescribeInstances", DescribeInstances$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeInstanceTypeOfferingsCommand.js
var DescribeInstanceTypeOfferingsCommand = class extends command(_ep0, _mw0, "DescribeInstanceTypeOfferings", DescribeInstanceTypeOfferings$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeInstanceTypesCommand.js
var DescribeInstanceTypesCommand = class extends command(_ep0, _mw0, "DescribeInstanceTypes", DescribeInstanceTypes$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeSecurityGroupsCommand.js
var DescribeSecurityGroupsCommand = class extends command(_ep0, _mw0, "DescribeSecurityGroups", DescribeSecurityGroups$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeSpotPriceHistoryCommand.js
var DescribeSpotPriceHistoryCommand = class extends command(_ep0, _mw0, "DescribeSpotPriceHistory", DescribeSpotPriceHistory$) {
};

// @aws-sdk/client-ec2/dist-es/commands/DescribeSubnetsCommand.js
var DescribeSubnetsCommand = class extends command(_ep0, _mw0, "DescribeSubnets", DescribeSubnets$) {
};

// @aws-sdk/client-ec2/dist-es/commands/TerminateInstancesCommand.js
var TerminateInstancesCommand = class extends command(_ep0, _mw0, "TerminateInstances", TerminateInstances$) {
};

// @aws-sdk/client-ec2/dist-es/pagination/DescribeImagesPaginator.js
import { createPaginator } from "@smithy/core";
var paginateDescribeImages = createPaginator(EC2Client, DescribeImagesCommand, "NextToken", "NextToken", "MaxResults");

// @aws-sdk/client-ec2/dist-es/pagination/DescribeInstancesPaginator.js
import { createPaginator as createPaginator2 } from "@smithy/core";
var paginateDescribeInstances = createPaginator2(EC2Client, DescribeInstancesCommand, "NextToken", "NextToken", "MaxResults");

// @aws-sdk/client-ec2/dist-es/pagination/DescribeInstanceTypeOfferingsPaginator.js
import { createPaginator as createPaginator3 } from "@smithy/core";
var paginateDescribeInstanceTypeOfferings = createPaginator3(EC2Client, DescribeInstanceTypeOfferingsCommand, "NextToken", "NextToken", "MaxResults");

// @aws-sdk/client-ec2/dist-es/pagination/DescribeInstanceTypesPaginator.js
import { createPaginator as createPaginator4 } from "@smithy/core";
var paginateDescribeInstanceTypes = createPaginator4(EC2Client, DescribeInstanceTypesCommand, "NextToken", "NextToken", "MaxResults");

// @aws-sdk/client-ec2/dist-es/pagination/DescribeSecurityGroupsPaginator.js
import { createPaginator as createPaginator5 } from "@smithy/core";
var paginateDescribeSecurityGroups = createPaginator5(EC2Client, DescribeSecurityGroupsCommand, "NextToken", "NextToken", "MaxResults");

// @aws-sdk/client-ec2/dist-es/pagination/DescribeSpotPriceHistoryPaginator.js
import { createPaginator as createPaginator6 } from "@smithy/core";
var paginateDescribeSpotPriceHistory = createPaginator6(EC2Client, DescribeSpotPriceHistoryCommand, "NextToken", "NextToken", "MaxResults");

// @aws-sdk/client-ec2/dist-es/pagination/DescribeSubnetsPaginator.js
import { createPaginator as createPaginator7 } from "@smithy/core";
var paginateDescribeSubnets = createPaginator7(EC2Client, DescribeSubnetsCommand, "NextToken", "NextToken", "MaxResults");
export {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  CreateTagsCommand,
  DescribeAvailabilityZonesCommand,
  EC2Client,
  TerminateInstancesCommand,
  paginateDescribeImages,
  paginateDescribeInstanceTypeOfferings,
  paginateDescribeInstanceTypes,
  paginateDescribeInstances,
  paginateDescribeSecurityGroups,
  paginateDescribeSpotPriceHistory,
  paginateDescribeSubnets
};
